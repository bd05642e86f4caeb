import {
  type Channel,
  DELIVERY_STATES,
  type DeliveryState,
  FALLBACK_STATES,
  type FallbackState,
  MESSAGE_KINDS,
  MESSAGE_STATUSES,
  type MessageKind,
  type MessageStatus,
  UUID,
} from '@postrider/domain';
import { Optional, Rule } from '../validation/field';
import { IsChannel, IsFilledText, IsName, IsOneOf, IsTextLike, IsTime } from '../validation/fields';
import { IsCursor, IsLimit } from '../validation/paging';

/** The place of a device in a list. */
const DEVICE_PLACE = /^\d{1,18}$/;
/** A language tag, checked only roughly: a tag that no message has finds none. */
const LANGUAGE_TAG = /^[A-Za-z\d]{1,8}(?:-[A-Za-z\d]{1,8})*$/;
/** The place of a user in a list. */
const USER_PLACE = /^[^\0]{1,255}$/su;

/**
 * The query of the lists of messages and of campaigns. With any filter except a track id, campaigns without a send are
 * left out.
 */
export class ListMessagesQuery {
  @Optional() @IsName() trackId?: string;
  @Optional() @IsName() clientId?: string;
  @Optional() @IsName() userId?: string;

  @Optional()
  @IsTextLike(UUID, 'must be the id of a batch', { description: 'the `X-Batch-Id` of an earlier answer' })
  batchId?: string;

  @Optional() @IsOneOf(MESSAGE_STATUSES) status?: MessageStatus;
  @Optional() @IsOneOf(MESSAGE_KINDS) kind?: MessageKind;
  @Optional() @IsTime('accepted, or scheduled for a time, from this moment on') from?: Date;

  @Optional()
  @IsTime('accepted, or scheduled for a time, before this moment')
  @Rule<ListMessagesQuery>(({ from, to }) => (from && to && from >= to ? 'must be after from' : null))
  to?: Date;

  @Optional()
  @IsTextLike(LANGUAGE_TAG, 'must be a language tag (BCP 47), such as fa, de-AT or zh-Hant', {
    description: 'a tag of `localized`, of the message or of a variant; case does not matter',
  })
  language?: string;

  @Optional() @IsChannel() channel?: Channel;
  @Optional()
  @IsTextLike(UUID, 'must be the id of a template', { description: 'made from this template' })
  templateId?: string;

  @IsCursor(UUID) cursor?: string;
  @IsLimit(200, 50) limit!: number;
}

function DeliveryLanguage(): PropertyDecorator {
  return (target, key) => {
    Optional()(target, key);
    IsTextLike(LANGUAGE_TAG, 'must be a tag of localized, or "default"', {
      description:
        'sent in this language: a tag of `localized`, or `default`; deliveries that were not sent are left out',
    })(target, key);
  };
}

/** The query of the list of a message's deliveries. */
export class ListDeliveriesQuery {
  @Optional() @IsOneOf(DELIVERY_STATES) state?: DeliveryState;
  @DeliveryLanguage() language?: string;
  @IsCursor(DEVICE_PLACE) cursor?: string;
  @IsLimit(1_000, 100) limit!: number;
}

/** The query of a message's deliveries as a file. */
export class ExportDeliveriesQuery {
  @Optional() @IsOneOf(DELIVERY_STATES) state?: DeliveryState;
  @DeliveryLanguage() language?: string;
}

/** The query of the list of a message's fallback SMS. */
export class ListFallbacksQuery {
  @Optional() @IsOneOf(FALLBACK_STATES) state?: FallbackState;
  @IsCursor(USER_PLACE) cursor?: string;
  @IsLimit(1_000, 100) limit!: number;
}

/** The query of a message's deliveries to a user's devices. */
export class MessageDevicesQuery {
  @IsFilledText('the user whose devices are listed') userId!: string;
}
