import { Column, Entity, PrimaryColumn } from 'typeorm';

/** A row is a URL to which an application's events are sent. */
@Entity('webhooks')
export class WebhookEntity {
  @PrimaryColumn({ name: 'app_id', type: 'text' })
  appId!: string;

  @PrimaryColumn({ name: 'webhook_id', type: 'uuid' })
  webhookId!: string;

  @Column({ type: 'text' })
  url!: string;

  @Column({ type: 'text', array: true })
  events!: string[];

  /** The secrets that sign, newest first, encrypted. A former one stays until its time is over. */
  @Column({ type: 'bytea' })
  sealed!: Buffer;

  @Column({ name: 'is_enabled', type: 'boolean' })
  isEnabled!: boolean;

  @Column({ name: 'disabled_reason', type: 'text', nullable: true })
  disabledReason!: string | null;

  /** How many attempts failed in a row, of any events. */
  @Column({ type: 'integer' })
  failures!: number;

  /** When the first of these `failures` happened. */
  @Column({ name: 'failing_since', type: 'timestamptz', nullable: true })
  failingSince!: Date | null;

  /** Nothing is sent before this time, and after it one event alone until one is accepted. */
  @Column({ name: 'held_until', type: 'timestamptz', nullable: true })
  heldUntil!: Date | null;

  @Column({ name: 'last_error', type: 'text', nullable: true })
  lastError!: string | null;

  @Column({ name: 'last_error_at', type: 'timestamptz', nullable: true })
  lastErrorAt!: Date | null;

  @Column({ name: 'last_success_at', type: 'timestamptz', nullable: true })
  lastSuccessAt!: Date | null;

  @Column({ name: 'created_at', type: 'timestamptz' })
  createdAt!: Date;

  @Column({ name: 'updated_at', type: 'timestamptz' })
  updatedAt!: Date;
}

/** A row is an event for one webhook, written in the transaction of the event: the outbox and the log in one. */
@Entity('webhook_events')
export class WebhookEventEntity {
  @PrimaryColumn({ name: 'app_id', type: 'text' })
  appId!: string;

  @PrimaryColumn({ name: 'webhook_id', type: 'uuid' })
  webhookId!: string;

  @PrimaryColumn({ name: 'event_id', type: 'uuid' })
  eventId!: string;

  @Column({ type: 'text' })
  type!: string;

  @Column({ type: 'json' })
  data!: unknown;

  @Column({ type: 'text' })
  state!: string;

  /** Raised with each claim. The result of an attempt counts while the attempt is the newest one. */
  @Column({ type: 'integer' })
  attempt!: number;

  @Column({ type: 'smallint' })
  tries!: number;

  @Column({ type: 'jsonb' })
  attempts!: unknown;

  /** When it is to be sent, or the lease of its sender is over. Null if it has ended. */
  @Column({ name: 'wake_at', type: 'timestamptz', nullable: true })
  wakeAt!: Date | null;

  /** The last time for which an attempt is planned. */
  @Column({ name: 'deadline_at', type: 'timestamptz' })
  deadlineAt!: Date;

  @Column({ name: 'created_at', type: 'timestamptz' })
  createdAt!: Date;

  @Column({ name: 'ended_at', type: 'timestamptz', nullable: true })
  endedAt!: Date | null;
}
