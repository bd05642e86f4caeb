import { Column, Entity, PrimaryColumn } from 'typeorm';
import type { DeviceId } from '@postrider/domain';

/** A row is one application on one device. */
@Entity('installations')
export class InstallationEntity {
  @PrimaryColumn({ name: 'app_id', type: 'text' })
  appId!: string;

  /** The number of the installation, within one application. Texts and other tables call it the device id. */
  @PrimaryColumn({ type: 'bigint', insert: false, update: false })
  id!: string;

  @Column({ name: 'installation_id', type: 'uuid' })
  installationId!: string;

  @Column({ name: 'user_id', type: 'text' })
  userId!: string;

  /** When the present owner got the device. Messages that were accepted for an earlier owner are not sent to it. */
  @Column({ name: 'user_since', type: 'timestamptz' })
  userSince!: Date;

  /** In lower case, because comparisons ignore case. */
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

  /** The `tokenRegisteredAt` that an import wrote. While both are equal, no device has registered since. */
  @Column({ name: 'imported_at', type: 'timestamptz', nullable: true })
  importedAt!: Date | null;

  /** The line that an import wrote the device from last, and the fingerprint of its file. Null: none, or unknown. */
  @Column({ name: 'imported_file', type: 'bigint', nullable: true })
  importedFile!: string | null;

  @Column({ name: 'imported_line', type: 'bigint', nullable: true })
  importedLine!: string | null;

  @Column({ name: 'os_version', type: 'text', nullable: true })
  osVersion!: string | null;

  /** The sort key of the version (libs/domain). Null if the text has no digit. */
  @Column({ name: 'os_version_key', type: 'text', nullable: true })
  osVersionKey!: string | null;

  @Column({ name: 'client_version', type: 'text', nullable: true })
  clientVersion!: string | null;

  /** Like `osVersionKey`. */
  @Column({ name: 'client_version_key', type: 'text', nullable: true })
  clientVersionKey!: string | null;

  @Column({ name: 'launch_count', type: 'bigint' })
  launchCount!: string;

  @Column({ name: 'launch_time', type: 'timestamptz' })
  launchTime!: Date;

  @Column({ name: 'install_date', type: 'timestamptz' })
  installDate!: Date;

  /** The tags of the owner, copied so that a segment reads one table. Written while the row of the user is locked. */
  @Column({ type: 'text', array: true })
  tags!: string[];

  /** Like `tags`. */
  @Column({ name: 'tag_values', type: 'jsonb' })
  tagValues!: unknown;

  /** Memberships beside the default channels, as `public/<name>` or `private/<name>`. */
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

  /** The vendor of a token that can be used, computed from `token`, `tokenStatus` and `pushType`. */
  @Column({ name: 'usable_vendor', type: 'text', nullable: true, insert: false, update: false })
  usableVendor!: string | null;

  /** True if the device has a connection of its own, or has announced one. */
  @Column({ name: 'uses_connection', type: 'boolean', nullable: true, insert: false, update: false })
  usesConnection!: boolean | null;

  /** The day of `launchTime` in UTC. The index has it in place of `launchTime`. */
  @Column({ name: 'launch_day', type: 'date', insert: false, update: false })
  launchDay!: string;

  /** 2 if the installation showed its user's hash, 0 if it did not, 1 if nobody knows. */
  @Column({ name: 'user_proof', type: 'smallint' })
  userProof!: number;
}

/** A row names the user who had a device from `since` until `until`. Deliveries of that time belong to them. */
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
