import { DELIVERY_STATES, type JsonObject, type JsonValue, UUID } from '@postrider/domain';
import { IsUserHash } from '../validation/user-identity';
import {
  CountField,
  FlagField,
  IdField,
  ListField,
  NextCursorField,
  ObjectField,
  TextField,
  TimeField,
  WordField,
} from '../validation/answers';
import { Optional, SaysOfClass } from '../validation/field';
import { IsCursor, IsLimit } from '../validation/paging';
import { NotificationResponse } from './message-content.response';

/** The query of a device's inbox. */
export class InboxQuery {
  @IsCursor(UUID) cursor?: string;
  @IsLimit(100, 20) limit!: number;
  @Optional() @IsUserHash() userHash?: string;
}

/** What a device shows, in the form in which the device gets it. */
export class InboxNotificationResponse extends NotificationResponse {
  @FlagField({ description: 'true: the device is asked to report that it has shown the notification' })
  notifDelivery!: boolean;
}

/**
 * A message in a device's inbox, in the form in which the device gets it over its own connection, with its read state.
 */
@SaysOfClass({ additionalProperties: true })
export class InboxMessageResponse {
  @IdField() id!: string;
  @FlagField() read!: boolean;
  @TimeField({ isNullable: true }) readAt!: string | null;
  @WordField(DELIVERY_STATES) state!: string;
  @TextField({ isOptional: true }) content?: string;
  @ObjectField(() => InboxNotificationResponse, { isOptional: true }) notification?: JsonObject;
  @CountField({ isOptional: true, description: 'milliseconds since 1970' }) createdAt?: number;
  @CountField({ isOptional: true, description: 'milliseconds since 1970' }) expireAt?: number;

  [field: string]: JsonValue | undefined;
}

/** A part of a device's inbox. */
export class InboxResponse {
  @ListField(() => InboxMessageResponse) messages!: InboxMessageResponse[];
  @CountField({ description: 'unread messages of the whole inbox' }) unread!: number;
  @NextCursorField() nextCursor!: string | null;
}
