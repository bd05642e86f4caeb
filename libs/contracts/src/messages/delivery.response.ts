import { DELIVERY_STATES, type DeliveryState, FALLBACK_STATES, type FallbackState } from '@postrider/domain';
import { InstallationResponse } from '../devices/installation.response';
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

const WHY = 'why it was not sent, or what it waits for, in words';

/** A message's delivery to one device. */
export class DeliveryResponse {
  @IdField({ isNullable: true }) installationId!: string | null;
  @TextField({ isNullable: true }) userId!: string | null;
  @WordField(DELIVERY_STATES) state!: DeliveryState;
  @TextField({ isNullable: true }) vendor!: string | null;
  @TextField({ isNullable: true }) vendorMessageId!: string | null;
  @TextField({ isNullable: true }) error!: string | null;
  @TextField({ isNullable: true, description: WHY }) reason!: string | null;
  @CountField() attempt!: number;
  @TextField({ isNullable: true }) promoCode!: string | null;

  @TextField({
    isNullable: true,
    description: 'the tag of `localized` that it was sent in; null: the default, or not sent',
  })
  language!: string | null;

  @TextField({ isNullable: true, description: 'the variant that its user gets; null: none, or none yet' })
  variant!: string | null;

  @TimeField() createdAt!: string;
  @TimeField({ isNullable: true }) sentAt!: string | null;
  @TimeField({ isNullable: true }) deliveredAt!: string | null;
  @TimeField({ isNullable: true }) shownAt!: string | null;
  @TimeField({ isNullable: true }) openedAt!: string | null;
  @TimeField({ isNullable: true }) dismissedAt!: string | null;
  @TimeField() updatedAt!: string;
}

/** A part of the list of a message's deliveries. */
export class DeliveriesResponse {
  @ListField(() => DeliveryResponse) deliveries!: DeliveryResponse[];
  @NextCursorField() nextCursor!: string | null;
}

/** A message's fallback SMS to one user. */
export class FallbackResponse {
  @TextField() userId!: string;
  @WordField(FALLBACK_STATES) state!: FallbackState;
  @TextField({ isNullable: true, description: 'only the last three digits are shown' }) phone!: string | null;
  @TextField({ isNullable: true }) provider!: string | null;
  @TextField({ isNullable: true }) providerMessageId!: string | null;
  @TextField({ isNullable: true }) error!: string | null;
  @TextField({ isNullable: true, description: WHY }) reason!: string | null;
  @CountField() attempt!: number;
  @CountField({ description: 'how often it was sent again although the provider may have accepted it' })
  resent!: number;
  @TimeField() dueAt!: string;
  @TimeField({ isNullable: true }) attemptedAt!: string | null;
  @TimeField({ isNullable: true }) sentAt!: string | null;
  @TimeField({ isNullable: true }) endedAt!: string | null;
  @TimeField() updatedAt!: string;
}

/** A part of the list of a message's fallback SMS. */
export class FallbacksResponse {
  @ListField(() => FallbackResponse) fallbacks!: FallbackResponse[];
  @NextCursorField() nextCursor!: string | null;
}

/** The delivery of a message to one device. */
export class MessageDeviceResponse {
  @ObjectField(() => InstallationResponse, { description: 'the device in its current state, with its token shortened' })
  installation!: InstallationResponse;

  @ObjectField(() => DeliveryResponse, {
    isNullable: true,
    description: 'null when the message was not meant for this device',
  })
  delivery!: DeliveryResponse | null;

  @TextField({ isNullable: true, description: 'why the message was not sent to this device, in words' })
  reason!: string | null;

  @ObjectField(() => FallbackResponse, {
    isNullable: true,
    description: "the fallback SMS to the device's user; null when the message has no fallback",
  })
  fallback!: FallbackResponse | null;
}

/** The deliveries of a message to a user's devices. */
export class MessageDevicesResponse {
  @ListField(() => MessageDeviceResponse) devices!: MessageDeviceResponse[];
}

/** The answer to an SMS provider's report. */
export class SmsReportResponse {
  @FlagField({ description: 'false when the report contained nothing new' }) recorded!: boolean;
}
