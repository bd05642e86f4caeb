import { WEBHOOK_EVENT_TYPES, type WebhookEventType } from '@postrider/domain';
import {
  CountField,
  FlagField,
  IdField,
  ListField,
  NextCursorField,
  TextField,
  TimeField,
  WordField,
  WordsField,
} from '../validation/answers';

/** The states of an event. */
export const WEBHOOK_EVENT_STATES = ['waiting', 'sending', 'delivered', 'failed'] as const;
export type WebhookEventState = (typeof WEBHOOK_EVENT_STATES)[number];

/** A webhook. Only the answer that made it has its `secret`. */
export class WebhookResponse {
  @IdField() id!: string;
  @TextField() url!: string;
  @WordsField(WEBHOOK_EVENT_TYPES) events!: WebhookEventType[];
  @FlagField() isEnabled!: boolean;

  @TextField({ isNullable: true, description: 'why it was switched off automatically' })
  disabledReason!: string | null;

  @CountField({ description: 'failed attempts since the last successful one' }) failures!: number;
  @TimeField({ isNullable: true }) failingSince!: string | null;
  @TimeField({ isNullable: true, description: 'nothing is sent before this time' }) heldUntil!: string | null;
  @TextField({ isNullable: true }) lastError!: string | null;
  @TimeField({ isNullable: true }) lastErrorAt!: string | null;
  @TimeField({ isNullable: true }) lastSuccessAt!: string | null;
  @TimeField() createdAt!: string;
  @TimeField() updatedAt!: string;
  @TextField({ isOptional: true, description: 'shown only in the answer that created the webhook' }) secret?: string;
}

/** The webhooks of an application. */
export class WebhooksResponse {
  @ListField(() => WebhookResponse) webhooks!: WebhookResponse[];
}

/** The answer of `POST webhooks/:id/rotate-secret`: both secrets sign until then. */
export class WebhookSecretResponse {
  @IdField() id!: string;
  @TextField() secret!: string;
  @TimeField({
    isNullable: true,
    description:
      'until then, events are also signed with the former secret; null: it cannot be read, and signs nothing',
  })
  formerValidUntil!: string | null;
}

/** The answer of `POST webhooks/:id/test`. */
export class WebhookTestResponse {
  @IdField() eventId!: string;
}

/** One attempt at an event. */
export class WebhookAttemptResponse {
  @TimeField() at!: string;
  @CountField({ isNullable: true }) statusCode!: number | null;
  @CountField() durationMs!: number;
  @TextField({ isNullable: true }) error!: string | null;
}

/** One event in a webhook's log. The plain fields are those of its newest attempt. */
export class WebhookDeliveryResponse {
  @IdField() eventId!: string;
  @TextField() type!: string;
  @WordField(WEBHOOK_EVENT_STATES) state!: WebhookEventState;
  @CountField({ description: 'attempts since the event was created, or since it was sent again last' })
  attempt!: number;
  @CountField({ isNullable: true }) statusCode!: number | null;
  @CountField({ isNullable: true }) durationMs!: number | null;
  @TextField({ isNullable: true }) error!: string | null;
  @TimeField({ isNullable: true, description: 'null while the webhook is switched off' }) nextTryAt!: string | null;
  @TimeField() createdAt!: string;
  @TimeField({ isNullable: true }) endedAt!: string | null;
  @ListField(() => WebhookAttemptResponse) attempts!: WebhookAttemptResponse[];
}

/** What was sent to a webhook, newest first. */
export class WebhookDeliveriesResponse {
  @ListField(() => WebhookDeliveryResponse) deliveries!: WebhookDeliveryResponse[];
  @NextCursorField() nextCursor!: string | null;
}
