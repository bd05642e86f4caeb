import { Entity, PrimaryColumn, Column } from 'typeorm';
import type { DeviceId } from '@postrider/domain';

/**
 * A row is an event that a device reported, remembered so that a second report of it does not count. Partitioned by
 * day.
 */
@Entity('reported_events')
export class ReportedEventEntity {
  @PrimaryColumn({ name: 'app_id', type: 'text' })
  appId!: string;

  @PrimaryColumn({ name: 'user_id', type: 'text' })
  userId!: string;

  /** Digest of the device and everything that distinguishes the event. */
  @PrimaryColumn({ type: 'bytea' })
  digest!: Buffer;

  /** The day (UTC) of its first report. */
  @PrimaryColumn({ type: 'date' })
  day!: string;
}

/**
 * A row is a choice of one device in one message: each action and link once, with its first time, and one more of the
 * kind `clicked`, without a name, with the first time of all. Partitioned by the day in the message's id.
 */
@Entity('delivery_clicks')
export class DeliveryClickEntity {
  @PrimaryColumn({ name: 'app_id', type: 'text' })
  appId!: string;

  @PrimaryColumn({ name: 'message_id', type: 'uuid' })
  messageId!: string;

  @PrimaryColumn({ name: 'device_id', type: 'bigint' })
  deviceId!: DeviceId;

  @PrimaryColumn({ type: 'text' })
  kind!: string;

  /** The digest of `name`: a link can be longer than an index row may be. */
  @PrimaryColumn({ name: 'name_key', type: 'bytea' })
  nameKey!: Buffer;

  @Column({ type: 'text' })
  name!: string;

  @Column({ name: 'first_at', type: 'timestamptz' })
  firstAt!: Date;

  /**
   * The time before an earlier report came. The statement that changes it moves the count from the one hour to the
   * other.
   */
  @Column({ name: 'moved_from', type: 'timestamptz', nullable: true })
  movedFrom!: Date | null;
}

/** A row is a link that a device reported as opened (contract, Deep links: clients below version 2). */
@Entity('link_opens')
export class LinkOpenEntity {
  @PrimaryColumn({ name: 'app_id', type: 'text' })
  appId!: string;

  @PrimaryColumn({ type: 'bigint', insert: false, update: false })
  id!: string;

  @Column({ name: 'device_id', type: 'bigint' })
  deviceId!: DeviceId;

  @Column({ name: 'user_id', type: 'text' })
  userId!: string;

  @Column({ type: 'text' })
  link!: string;

  @Column({ name: 'opened_at', type: 'timestamptz' })
  openedAt!: Date;

  @Column({ name: 'created_at', type: 'timestamptz' })
  createdAt!: Date;
}

/** A row is a conversion that a device reported after a message. Partitioned by the day in the message's id. */
@Entity('conversions')
export class ConversionEntity {
  @PrimaryColumn({ name: 'app_id', type: 'text' })
  appId!: string;

  @PrimaryColumn({ name: 'message_id', type: 'uuid' })
  messageId!: string;

  @PrimaryColumn({ name: 'device_id', type: 'bigint' })
  deviceId!: DeviceId;

  @PrimaryColumn({ type: 'text' })
  name!: string;

  @PrimaryColumn({ type: 'timestamptz' })
  at!: Date;

  @Column({ type: 'numeric' })
  revenue!: string;

  @Column({ type: 'text', nullable: true })
  currency!: string | null;
}
