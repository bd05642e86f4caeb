import { Column, Entity, PrimaryColumn } from 'typeorm';
import type { DeviceId } from '@postrider/domain';

/** A row is one application on one device. */
@Entity('installations')
export class InstallationEntity {
  @PrimaryColumn({ name: 'app_id', type: 'text' })
  appId!: string;

  /** Its number, of one application only; in texts and in other tables the device id. */
  @PrimaryColumn({ type: 'bigint', insert: false, update: false })
  id!: string;

  @Column({ name: 'installation_id', type: 'uuid' })
  installationId!: string;

  @Column({ name: 'user_id', type: 'text' })
  userId!: string;

  /** When the present owner took the device. What was accepted for an earlier owner is not sent to it. */
  @Column({ name: 'user_since', type: 'timestamptz' })
  userSince!: Date;

  /** In lower case, because it is compared without regard to case. */
  @Column({ name: 'device_type', type: 'text', nullable: true })
  deviceType!: string | null;

  @Column({ name: 'push_type', type: 'text', nullable: true })
  pushType!: string | null;

  @Column({ type: 'text', nullable: true })
  token!: string | null;

  @Column({ name: 'token_status', type: 'text', nullable: true })
  tokenStatus!: string | null;

  @Column({ name: 'token_registered_at', type: 'timestamptz', nullable: true })
  tokenRegisteredAt!: Date | null;

  /** The `tokenRegisteredAt` that an import wrote: while both are the same, no device has registered since. */
  @Column({ name: 'imported_at', type: 'timestamptz', nullable: true })
  importedAt!: Date | null;

  @Column({ name: 'os_version', type: 'text', nullable: true })
  osVersion!: string | null;

  /** The sort key of the version (libs/domain), null when the text holds no digit. */
  @Column({ name: 'os_version_key', type: 'text', nullable: true })
  osVersionKey!: string | null;

  @Column({ name: 'client_version', type: 'text', nullable: true })
  clientVersion!: string | null;

  /** As `osVersionKey`. */
  @Column({ name: 'client_version_key', type: 'text', nullable: true })
  clientVersionKey!: string | null;

  @Column({ name: 'launch_count', type: 'bigint' })
  launchCount!: string;

  @Column({ name: 'launch_time', type: 'timestamptz' })
  launchTime!: Date;

  @Column({ name: 'install_date', type: 'timestamptz' })
  installDate!: Date;

  /** The owner's, copied here so that a segment reads one table; written with the user's row locked. */
  @Column({ type: 'text', array: true })
  tags!: string[];

  /** As `tags`. */
  @Column({ name: 'tag_values', type: 'jsonb' })
  tagValues!: unknown;

  /** Memberships beside the default ones, as `public/<name>` or `private/<name>`. */
  @Column({ type: 'text', array: true })
  channels!: string[];

  @Column({ type: 'jsonb' })
  attributes!: unknown;

  /** The names of attributes that hold a time. */
  @Column({ name: 'moment_names', type: 'jsonb', insert: false, update: false })
  momentNames!: unknown;

  @Column({ type: 'jsonb' })
  registration!: unknown;

  @Column({ name: 'time_zone', type: 'text', nullable: true })
  timeZone!: string | null;

  @Column({ type: 'text', nullable: true })
  locale!: string | null;

  @Column({ type: 'double precision', nullable: true })
  latitude!: number | null;

  @Column({ type: 'double precision', nullable: true })
  longitude!: number | null;

  @Column({ type: 'boolean' })
  realtime!: boolean;

  @Column({ name: 'connected_at', type: 'timestamptz', nullable: true })
  connectedAt!: Date | null;

  @Column({ type: 'boolean' })
  protected!: boolean;

  @Column({ name: 'created_at', type: 'timestamptz' })
  createdAt!: Date;

  @Column({ name: 'updated_at', type: 'timestamptz' })
  updatedAt!: Date;

  /** The vendor of a token that can be sent to, from `token`, `tokenStatus` and `pushType`. */
  @Column({ name: 'usable_vendor', type: 'text', nullable: true, insert: false, update: false })
  usableVendor!: string | null;

  /** Whether it has, or says that it will have, a connection of its own. */
  @Column({ name: 'uses_connection', type: 'boolean', nullable: true, insert: false, update: false })
  usesConnection!: boolean | null;

  /** The day of `launchTime` in UTC, which stands for it in the index. */
  @Column({ name: 'launch_day', type: 'date', insert: false, update: false })
  launchDay!: string;

  /** 2 when the installation showed its user's hash, 0 when it did not, 1 when nobody knows. */
  @Column({ name: 'user_proof', type: 'smallint' })
  userProof!: number;
}

/** A row says who had a device from `since` until `until`: deliveries of that time are theirs. */
@Entity('former_owners')
export class FormerOwnerEntity {
  @PrimaryColumn({ name: 'app_id', type: 'text' })
  appId!: string;

  @PrimaryColumn({ type: 'bigint', insert: false, update: false })
  id!: string;

  @Column({ name: 'device_id', type: 'bigint' })
  deviceId!: DeviceId;

  @Column({ name: 'user_id', type: 'text' })
  userId!: string;

  @Column({ type: 'timestamptz' })
  since!: Date;

  @Column({ type: 'timestamptz' })
  until!: Date;
}

/**
 * A row is a device that got another owner in the last minute: workers leave it out of pages that they work on.
 * Unlogged.
 */
@Entity('hand_overs')
export class OwnerChangeEntity {
  @PrimaryColumn({ type: 'bigint', insert: false, update: false })
  id!: string;

  @Column({ name: 'app_id', type: 'text' })
  appId!: string;

  @Column({ name: 'device_id', type: 'bigint' })
  deviceId!: DeviceId;

  /** The former owner. */
  @Column({ name: 'user_id', type: 'text' })
  userId!: string;

  @Column({ type: 'timestamptz' })
  at!: Date;
}
