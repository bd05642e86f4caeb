import { Column, Entity, PrimaryColumn } from 'typeorm';

/** A row is an event for one webhook, written in the transaction of what happened: the outbox and the log in one. */
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

  /** Raised with each claim; what came of an attempt counts while it is the newest one. */
  @Column({ type: 'integer' })
  attempt!: number;

  @Column({ type: 'smallint' })
  tries!: number;

  @Column({ type: 'jsonb' })
  attempts!: unknown;

  /** When it is to be sent, or the lease of whoever sends it is over; null when it has ended. */
  @Column({ name: 'wake_at', type: 'timestamptz', nullable: true })
  wakeAt!: Date | null;

  /** No attempt is planned after it. */
  @Column({ name: 'deadline_at', type: 'timestamptz' })
  deadlineAt!: Date;

  @Column({ name: 'created_at', type: 'timestamptz' })
  createdAt!: Date;

  @Column({ name: 'ended_at', type: 'timestamptz', nullable: true })
  endedAt!: Date | null;
}
