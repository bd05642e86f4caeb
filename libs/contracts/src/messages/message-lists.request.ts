import { DELIVERY_STATES, type DeliveryState, FALLBACK_STATES, type FallbackState, UUID } from '@postrider/domain';
import { Optional } from '../validation/field';
import { IsFilledText, IsName, IsOneOf, IsTextLike } from '../validation/fields';
import { IsCursor, IsLimit } from '../validation/paging';

/** The place of a device in a list. */
const DEVICE_PLACE = /^\d{1,18}$/;
/** The place of a user in a list. */
const USER_PLACE = /^[^\0]{1,255}$/su;

/** The query of the lists of messages and of campaigns. */
export class ListMessagesQuery {
  @Optional() @IsName() trackId?: string;
  @Optional() @IsName() clientId?: string;
  @Optional() @IsName() userId?: string;

  @Optional()
  @IsTextLike(UUID, 'must be the id of a batch', { description: 'the `X-Batch-Id` of an earlier answer' })
  batchId?: string;

  @IsCursor(UUID) cursor?: string;
  @IsLimit(200, 50) limit!: number;
}

/** The query of the list of a message's deliveries. */
export class ListDeliveriesQuery {
  @Optional() @IsOneOf(DELIVERY_STATES) state?: DeliveryState;
  @IsCursor(DEVICE_PLACE) cursor?: string;
  @IsLimit(1_000, 100) limit!: number;
}

/** The query of the list of a message's fallback SMS. */
export class ListFallbacksQuery {
  @Optional() @IsOneOf(FALLBACK_STATES) state?: FallbackState;
  @IsCursor(USER_PLACE) cursor?: string;
  @IsLimit(1_000, 100) limit!: number;
}

/** The query of what a message came to on a user's devices. */
export class MessageDevicesQuery {
  @IsFilledText('the user whose devices are listed') userId!: string;
}
