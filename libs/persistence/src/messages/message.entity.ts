import { Column, Entity, PrimaryColumn } from 'typeorm';

/** A row is one accepted send. Partitioned by the day in its id (UUID version 7). */
@Entity('messages')
export class MessageEntity {
  @PrimaryColumn({ name: 'app_id', type: 'text' })
  appId!: string;

  @PrimaryColumn({ type: 'uuid' })
  id!: string;

  @Column({ type: 'text' })
  kind!: string;

  @Column({ name: 'is_campaign', type: 'boolean' })
  isCampaign!: boolean;

  @Column({ type: 'text' })
  lane!: string;

  /** `{ target?, segment?, everyone?: true, channel }` as validated. */
  @Column({ type: 'jsonb' })
  audience!: unknown;

  /** The users of a message to named users; null for an audience. */
  @Column({ name: 'user_ids', type: 'text', array: true, nullable: true })
  userIds!: string[] | null;

  @Column({ type: 'text' })
  channel!: string;

  @Column({ type: 'jsonb' })
  content!: unknown;

  @Column({ name: 'track_id', type: 'text', nullable: true })
  trackId!: string | null;

  @Column({ name: 'client_id', type: 'text', nullable: true })
  clientId!: string | null;

  @Column({ name: 'batch_id', type: 'uuid', nullable: true })
  batchId!: string | null;

  @Column({ type: 'text' })
  status!: string;

  /** Devices counted at acceptance. */
  @Column({ type: 'bigint' })
  count!: string;

  /** Devices put on pages so far; skipped ones are delivery rows. */
  @Column({ type: 'bigint' })
  recipients!: string;

  /** The last installation that became part of a page. */
  @Column({ name: 'resolved_through', type: 'bigint' })
  resolvedThrough!: string;

  /** The last installation that was put on a page. */
  @Column({ name: 'resolve_ceiling', type: 'bigint' })
  resolveCeiling!: string;

  /** Null: the audience worker still has work to do. */
  @Column({ name: 'resolved_at', type: 'timestamptz', nullable: true })
  resolvedAt!: Date | null;

  /** When recovery should look at the message; null when nothing is left to do. */
  @Column({ name: 'wake_at', type: 'timestamptz', nullable: true })
  wakeAt!: Date | null;

  @Column({ name: 'accepted_at', type: 'timestamptz' })
  acceptedAt!: Date;

  @Column({ name: 'expires_at', type: 'timestamptz' })
  expiresAt!: Date;

  @Column({ name: 'cancelled_at', type: 'timestamptz', nullable: true })
  cancelledAt!: Date | null;

  @Column({ name: 'done_at', type: 'timestamptz', nullable: true })
  doneAt!: Date | null;

  /** When deliveries that still wait for a connection end (expiry, or a cancellation). Null when none waits. */
  @Column({ name: 'inbox_ends_at', type: 'timestamptz', nullable: true })
  waitingEndsAt!: Date | null;

  /** Devices per second. */
  @Column({ type: 'integer', nullable: true })
  rate!: number | null;

  /** When the audience is resolved; with `localTime`, the moment of the first time zone. */
  @Column({ name: 'send_at', type: 'timestamptz', nullable: true })
  sendAt!: Date | null;

  /** The local time at which it is sent. */
  @Column({ name: 'local_time', type: 'timestamp', nullable: true })
  localTime!: string | null;

  /** Counted from the send time of each time zone. */
  @Column({ name: 'ttl_seconds', type: 'integer', nullable: true })
  ttlSeconds!: number | null;

  @Column({ name: 'ignore_quiet_hours', type: 'boolean' })
  ignoreQuietHours!: boolean;

  /** How often it was changed before it left. */
  @Column({ type: 'integer' })
  revision!: number;

  /** When the winner among its variants is chosen; null: there is none to choose (any more). */
  @Column({ name: 'winner_due_at', type: 'timestamptz', nullable: true })
  winnerDueAt!: Date | null;

  /** The name of the chosen variant. */
  @Column({ name: 'winner_variant', type: 'text', nullable: true })
  winnerVariant!: string | null;

  @Column({ name: 'winner_decided_at', type: 'timestamptz', nullable: true })
  winnerDecidedAt!: Date | null;

  /** Who chose it: `figures` or `caller`. */
  @Column({ name: 'winner_by', type: 'text', nullable: true })
  winnerBy!: string | null;

  /** Until when the pages of a paced message are spread so far. */
  @Column({ name: 'planned_through', type: 'timestamptz', nullable: true })
  plannedThrough!: Date | null;
}

/** A row is a campaign that was planned under a track id, before or without a message of it. */
@Entity('campaigns')
export class CampaignEntity {
  @PrimaryColumn({ name: 'app_id', type: 'text' })
  appId!: string;

  @PrimaryColumn({ name: 'track_id', type: 'text' })
  trackId!: string;

  @Column({ name: 'campaign_id', type: 'uuid' })
  campaignId!: string;

  @Column({ type: 'text', nullable: true })
  name!: string | null;

  @Column({ name: 'created_at', type: 'timestamptz' })
  createdAt!: Date;
}
