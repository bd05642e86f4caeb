import { DELIVERY_VENDORS, type DeliveryVendor } from '@postrider/domain';
import { FrequencyCapResponse } from './frequency-caps';
import { WaitingDevicesOverview } from '../statistics/overview.response';
import { CountField, CountsField, IdField, ListField, TextField, TimeField, WordField } from '../validation/answers';

/** When a message begins and ends. Null if nobody gets it, because the quiet hours last longer than the message. */
export class SendSpanResponse {
  @TimeField({ isNullable: true }) firstAt!: string | null;
  @TimeField({ isNullable: true }) lastAt!: string | null;

  @CountField({
    isOptional: true,
    description: 'devices that wait for the end of quiet hours; for a single message that obeys them, not for an array',
  })
  waiting?: number;

  @CountField({
    isOptional: true,
    description:
      'devices that get nothing because the message expires before their quiet hours end; for the same messages as `waiting`',
  })
  tooLate?: number;
}

/** A device that a send would go to. */
export class SampledDeviceResponse {
  @IdField() installationId!: string;
  @TextField() userId!: string;
  @WordField(DELIVERY_VENDORS) vendor!: DeliveryVendor;
}

/** The devices that get one language of a message. */
export class SendLanguageResponse {
  @TextField({ isNullable: true, description: 'as the message writes it; null: the default' }) language!: string | null;
  @CountField({ description: 'devices that get this language' }) count!: number;

  @ListField(() => SampledDeviceResponse, { description: 'at most 5 of them, of different types first' })
  sample!: SampledDeviceResponse[];
}

/** A probable mistake in a message, which can still be sent. */
export class TextWarningResponse {
  @TextField({ description: 'where it stands in the request, as in errors: `content`, `[3].variables.order`' })
  path!: string;
  @TextField() message!: string;
}

/** The answer to a send. Only `dryRun` adds more than the count. */
export class SendResponse {
  @CountField({ description: 'devices that the message is sent to' }) count!: number;

  @CountsField({ isOptional: true, description: 'the number of devices by vendor; in the answer to a dry run' })
  byVendor?: Partial<Record<DeliveryVendor, number>>;

  @ListField(() => WaitingDevicesOverview, {
    isOptional: true,
    description:
      'devices that could be reached if these vendors were connected, most first; they are not in `count`; in the answer to a dry run of a single message, if there are any',
  })
  waitingForVendors?: WaitingDevicesOverview[];

  @ListField(() => SampledDeviceResponse, {
    isOptional: true,
    description: 'a sample of the devices; in the answer to a dry run',
  })
  sample?: SampledDeviceResponse[];

  @ListField(() => SendLanguageResponse, {
    isOptional: true,
    description:
      'how many devices get which language, the default first; in the answer to a dry run of a single message with `localized`. With variants: the languages of all of them. Left out if the count would take too long',
  })
  byLanguage?: SendLanguageResponse[];

  @ListField(() => SendSpanResponse, {
    isOptional: true,
    description:
      'when each message starts and ends; in the answer to a dry run, for messages that are scheduled, have a rate or wait for quiet hours to end',
  })
  schedule?: SendSpanResponse[];

  @ListField(() => FrequencyCapResponse, {
    isOptional: true,
    description:
      'the caps that apply when the message leaves: `count` includes users who have reached one, but they are skipped; in the answer to a dry run, if there are any',
  })
  frequencyCaps?: FrequencyCapResponse[];

  @ListField(() => TextWarningResponse, {
    isOptional: true,
    description:
      'names in texts that never have a value, variables that a text shows and that nothing gives, variables of the request that no text reads, and a fallback whose delay is not less than ttl; in the answer to a dry run, if there are any',
  })
  warnings?: TextWarningResponse[];
}
