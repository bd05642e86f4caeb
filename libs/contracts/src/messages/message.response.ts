import {
  DELIVERY_STATES,
  type DeliveryState,
  FALLBACK_STATES,
  type FallbackState,
  type JsonObject,
  MESSAGE_KINDS,
  MESSAGE_STATUSES,
  type MessageKind,
  type MessageStatus,
} from '@postrider/domain';
import { RuleGroupField, TargetField } from '../segments/rule-group';
import {
  CountField,
  CountsByNameField,
  CountsField,
  FlagField,
  IdField,
  ListField,
  NextCursorField,
  ObjectField,
  TextField,
  TextsField,
  TimeField,
  WordField,
} from '../validation/answers';
import { CampaignTestResponse } from './campaign-test.response';
import { MessageContentResponse } from './message-content.response';

/** The number of deliveries in each state. A delivery is counted in its present state only. */
export type DeliveryTotals = Record<DeliveryState, number>;

/** A message in a list. */
export class MessageSummaryResponse {
  @IdField() id!: string;
  @WordField(MESSAGE_KINDS) kind!: MessageKind;
  @WordField(MESSAGE_STATUSES) status!: MessageStatus;
  @CountField({ description: 'the number of devices the message is sent to, as computed when it was accepted' })
  count!: number;
  @TextField({ isNullable: true }) trackId!: string | null;
  @TextField({ isNullable: true }) clientId!: string | null;
  @TextField({ isNullable: true }) batchId!: string | null;
  @TextField() channel!: string;
  @TimeField() acceptedAt!: string;
  @TimeField() expiresAt!: string;
  @TimeField({ isNullable: true }) cancelledAt!: string | null;
  @TimeField({ isNullable: true }) doneAt!: string | null;
  @CountField({ isNullable: true, description: 'devices per second, as requested' }) rate!: number | null;

  @TextField({ isNullable: true, description: 'as requested: ISO 8601, without an offset when localTime is set' })
  sendAt!: string | null;

  @TimeField({ description: 'when it leaves or left; with localTime in the first time zone' }) startsAt!: string;
  @FlagField() localTime!: boolean;
  @FlagField() ignoreQuietHours!: boolean;

  @ObjectField(() => MessageContentResponse, { description: 'the content, as requested' })
  content!: MessageContentResponse;
}

/** A message with its results. */
export class MessageResponse extends MessageSummaryResponse {
  @CountField({ description: 'how often the message was changed before it left' }) revision!: number;
  @TextsField({ isNullable: true, description: 'the users it was sent to by name' }) users!: string[] | null;
  @TargetField() target?: JsonObject;
  @RuleGroupField() segment?: JsonObject;

  @CountField({
    description: 'devices that the audience resolved to, skipped devices included; the sum of the totals',
  })
  recipients!: number;

  @CountsByNameField(DELIVERY_STATES, { description: 'deliveries by their current state' })
  totals!: DeliveryTotals;

  @CountsField({ isOfEach: true, description: 'the totals of each vendor' })
  byVendor!: Record<string, Partial<DeliveryTotals>>;

  @CountsField({ description: 'skipped devices, by the reason' }) skipped!: Record<string, number>;

  @CountsField({ isOfEach: true, description: 'the skipped devices of each vendor, by the reason' })
  skippedByVendor!: Record<string, Record<string, number>>;

  @CountsField({
    description:
      'deliveries with an error, by its code; rare codes of a message that has more than 200 are counted as other',
  })
  errors!: Record<string, number>;

  @CountsByNameField(FALLBACK_STATES, {
    areOptional: true,
    description: 'fallback SMS by state, one for each user; empty when the message has no fallback',
  })
  fallback!: Partial<Record<FallbackState, number>>;

  @ObjectField(() => CampaignTestResponse, {
    isOptional: true,
    description: 'for a campaign with variants or a holdout: the results of each part of its users',
  })
  test?: CampaignTestResponse;
}

/** A part of the list of messages. */
export class MessagesResponse {
  @ListField(() => MessageSummaryResponse) messages!: MessageSummaryResponse[];
  @NextCursorField() nextCursor!: string | null;
}
