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
import { MessageContentResponse } from './message-content.response';

/** How many deliveries are in each state. They are disjoint: a delivery is counted where it is now. */
export type DeliveryTotals = Record<DeliveryState, number>;

/** A message in a list. */
export class MessageSummaryResponse {
  @IdField()
  id!: string;

  @WordField(MESSAGE_KINDS)
  kind!: MessageKind;

  @WordField(MESSAGE_STATUSES)
  status!: MessageStatus;

  @CountField({ description: 'devices the message is sent to, as answered when it was accepted' })
  count!: number;

  @TextField({ isNullable: true })
  trackId!: string | null;

  @TextField({ isNullable: true })
  clientId!: string | null;

  @TextField({ isNullable: true })
  batchId!: string | null;

  @TextField()
  channel!: string;

  @TimeField()
  acceptedAt!: string;

  @TimeField()
  expiresAt!: string;

  @TimeField({ isNullable: true })
  cancelledAt!: string | null;

  @TimeField({ isNullable: true })
  doneAt!: string | null;

  @CountField({ isNullable: true, description: 'devices per second, as asked for' })
  rate!: number | null;

  @TextField({ isNullable: true, description: 'as asked for: ISO 8601, with localTime without an offset' })
  sendAt!: string | null;

  @FlagField()
  localTime!: boolean;

  @FlagField()
  ignoreQuietHours!: boolean;

  @ObjectField(() => MessageContentResponse, { description: 'what is sent, as it was asked for' })
  content!: MessageContentResponse;
}

/** A message with what became of it. */
export class MessageResponse extends MessageSummaryResponse {
  @TextsField({ isNullable: true, description: 'the users it was sent to by name' })
  users!: string[] | null;

  @TargetField()
  target?: JsonObject;

  @RuleGroupField()
  segment?: JsonObject;

  @CountField({
    description: 'devices that the audience resolved to, those that were skipped too: what the totals add up to',
  })
  recipients!: number;

  @CountsByNameField(DELIVERY_STATES, { description: 'deliveries by state: each is counted where it is now' })
  totals!: DeliveryTotals;

  @CountsField({ isOfEach: true, description: 'the totals of each vendor' })
  byVendor!: Record<string, Partial<DeliveryTotals>>;

  @CountsField({ description: 'deliveries with an error, by its code' })
  errors!: Record<string, number>;

  @CountsByNameField(FALLBACK_STATES, {
    areOptional: true,
    description: 'SMS sent in place of the message, one a user, by state; empty when none was asked for',
  })
  fallback!: Partial<Record<FallbackState, number>>;
}

/** A part of the list of messages. */
export class MessagesResponse {
  @ListField(() => MessageSummaryResponse)
  messages!: MessageSummaryResponse[];

  @NextCursorField()
  nextCursor!: string | null;
}
