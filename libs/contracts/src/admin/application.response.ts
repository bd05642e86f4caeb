import { CLIENT_TAGS, type ClientTags } from '@postrider/domain';
import {
  CountField,
  FlagField,
  ListField,
  ObjectField,
  TextField,
  TextsField,
  TimeField,
  WordField,
} from '../validation/answers';
import { PROMO_EXHAUSTED, type PromoExhausted } from './application.request';
import { FrequencyCapResponse } from '../messages/frequency-caps';
import { QuietHoursResponse } from './quiet-hours';

/** An application as an operator sees it. */
export class ApplicationResponse {
  @TextField() id!: string;
  @TextField() name!: string;
  @TextField() defaultAlertText!: string;
  @TextField({ isNullable: true }) defaultRegion!: string | null;
  @FlagField() requireUserHash!: boolean;
  @WordField(CLIENT_TAGS) clientTags!: ClientTags;
  @TextsField() protectedAttributes!: string[];

  /** Left out in lists and in answers to changes. */
  @CountField({
    isNullable: true,
    isOptional: true,
    description:
      'Devices that have not proved their user; only when one application is read; null while they are counted',
  })
  unprovedDevices?: number | null;

  @WordField(PROMO_EXHAUSTED) promoExhausted!: PromoExhausted;
  @CountField({ isNullable: true }) requestsPerSecond!: number | null;
  @TextsField() linkHosts!: string[];
  @TextsField() linkSchemes!: string[];
  @FlagField() matchByAddress!: boolean;
  @CountField() deferredLinkMinutes!: number;
  @CountField() conversionWindowHours!: number;

  @CountField({ isNullable: true, description: 'for all sends together; null: no limit' })
  devicesPerSecond!: number | null;

  @ObjectField(() => QuietHoursResponse, { isNullable: true }) quietHours!: QuietHoursResponse | null;
  @TextField({ isNullable: true }) defaultTimeZone!: string | null;
  @ListField(() => FrequencyCapResponse) frequencyCaps!: FrequencyCapResponse[];
  @CountField({ description: 'rises with each change; a change may name the one that it was made from' })
  revision!: number;
  @TimeField() createdAt!: string;
  @TimeField() updatedAt!: string;

  @TimeField({
    isNullable: true,
    description:
      'when its removal began, which goes on until all of its data is deleted; null: it is not being removed',
  })
  removalBeganAt!: string | null;

  @TimeField({
    isNullable: true,
    description: 'until then, a userHash that is made with the former identity key is accepted too; null: it is not',
  })
  formerIdentityKeyValidUntil!: string | null;
}

/** The tokens of a new application: for its backend, and for its app. */
export class FirstTokensResponse {
  @TextField() server!: string;
  @TextField() client!: string;
}

/** A new application. The tokens and the identity key are shown this once. */
export class NewApplicationResponse {
  @TextField() id!: string;
  @TextField() name!: string;
  @ObjectField(() => FirstTokensResponse, { description: 'shown only once' }) tokens!: FirstTokensResponse;
  @TextField({ description: 'shown only once' }) identityKey!: string;
}

/** The answer of `POST apps/:id/rotate-identity-key`: both keys prove users until then. */
export class IdentityKeyResponse {
  @TextField() id!: string;
  @TextField({ description: 'shown only once' }) identityKey!: string;

  @TimeField({
    isNullable: true,
    description:
      'until then, a userHash that is made with the former key is accepted too; null: it is not accepted any more, or cannot be read',
  })
  formerValidUntil!: string | null;
}
