import { Column, Entity, PrimaryColumn } from 'typeorm';
import type { DeviceId } from '@postrider/domain';

/** A row is a tracker link. Its id is unique among all applications: a link names no application. */
@Entity('trackers')
export class TrackerEntity {
  @PrimaryColumn({ name: 'app_id', type: 'text' })
  appId!: string;

  @PrimaryColumn({ name: 'tracker_id', type: 'text' })
  trackerId!: string;

  @Column({ type: 'text' })
  name!: string;

  @Column({ name: 'deep_link', type: 'text', nullable: true })
  deepLink!: string | null;

  @Column({ type: 'text', nullable: true })
  destination!: string | null;

  @Column({ type: 'text', nullable: true })
  redirect!: string | null;

  @Column({ type: 'jsonb' })
  platforms!: unknown;

  @Column({ name: 'allowed_hosts', type: 'text', array: true })
  allowedHosts!: string[];

  @Column({ name: 'created_at', type: 'timestamptz' })
  createdAt!: Date;

  @Column({ name: 'updated_at', type: 'timestamptz' })
  updatedAt!: Date;
}

/** A row is how often something happened to a tracker link in an hour on a platform. */
@Entity('tracker_counts')
export class TrackerCountEntity {
  @PrimaryColumn({ name: 'app_id', type: 'text' })
  appId!: string;

  @PrimaryColumn({ name: 'tracker_id', type: 'text' })
  trackerId!: string;

  /**
   * `visit`: the first click of a visitor on a day. `install`: a new installation claimed a deferred link. `opened`,
   * `declined`: the decision of its app.
   */
  @PrimaryColumn({ type: 'text' })
  kind!: string;

  @PrimaryColumn({ type: 'timestamptz' })
  hour!: Date;

  @PrimaryColumn({ type: 'text' })
  platform!: string;

  @Column({ type: 'bigint' })
  count!: string;
}

/** A row is a visitor of a tracker link on a day. It is deleted after two days. */
@Entity('tracker_visitors')
export class TrackerVisitorEntity {
  @PrimaryColumn({ name: 'app_id', type: 'text' })
  appId!: string;

  @PrimaryColumn({ name: 'tracker_id', type: 'text' })
  trackerId!: string;

  @PrimaryColumn({ type: 'date' })
  day!: string;

  /** A keyed digest of tracker, day, address and user agent, useless on another day. */
  @PrimaryColumn({ type: 'bytea' })
  visitor!: Buffer;
}

/** A row is a click that waits for an installation. */
@Entity('deferred_links')
export class DeferredLinkEntity {
  @PrimaryColumn({ name: 'app_id', type: 'text' })
  appId!: string;

  @PrimaryColumn({ name: 'token_key', type: 'bytea' })
  tokenKey!: Buffer;

  @Column({ name: 'tracker_id', type: 'text' })
  trackerId!: string;

  @Column({ name: 'deep_link', type: 'text' })
  deepLink!: string;

  @Column({ type: 'text' })
  platform!: string;

  @Column({ name: 'os_major', type: 'integer', nullable: true })
  osMajor!: number | null;

  @Column({ name: 'agent_key', type: 'bytea', nullable: true })
  agentKey!: Buffer | null;

  /** A keyed digest of the network address, only while the application wants matching by it. */
  @Column({ name: 'address_key', type: 'bytea', nullable: true })
  addressKey!: Buffer | null;

  @Column({ name: 'clicked_at', type: 'timestamptz' })
  clickedAt!: Date;

  @Column({ name: 'expires_at', type: 'timestamptz' })
  expiresAt!: Date;
}

/** A row is a deferred link that an installation claimed at its first registration, with the decision of its app. */
@Entity('deferred_handovers')
export class ClaimedLinkEntity {
  @PrimaryColumn({ name: 'app_id', type: 'text' })
  appId!: string;

  @PrimaryColumn({ name: 'device_id', type: 'bigint' })
  deviceId!: DeviceId;

  @Column({ name: 'tracker_id', type: 'text' })
  trackerId!: string;

  @Column({ name: 'deep_link', type: 'text' })
  deepLink!: string;

  @Column({ type: 'text' })
  platform!: string;

  @Column({ name: 'matched_by', type: 'text' })
  matchedBy!: string;

  @Column({ name: 'clicked_at', type: 'timestamptz' })
  clickedAt!: Date;

  @Column({ name: 'handed_at', type: 'timestamptz' })
  handedAt!: Date;

  @Column({ type: 'boolean', nullable: true })
  opened!: boolean | null;

  @Column({ name: 'decided_at', type: 'timestamptz', nullable: true })
  decidedAt!: Date | null;
}
