import { Column, Entity, PrimaryColumn } from 'typeorm';

/**
 * A row is what one device chose of one message: each action and link once, with its first time. Partitioned by the day in the
 * message's id.
 */
@Entity('delivery_clicks')
export class DeliveryClickEntity {
  @PrimaryColumn({ name: 'app_id', type: 'text' })
  appId!: string;

  @PrimaryColumn({ name: 'message_id', type: 'uuid' })
  messageId!: string;

  @PrimaryColumn({ name: 'device_id', type: 'bigint' })
  deviceId!: string;

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
   * The time that stood here before an earlier report came; the statement that changes it takes the count from the hour of the one
   * to the other's.
   */
  @Column({ name: 'moved_from', type: 'timestamptz', nullable: true })
  movedFrom!: Date | null;
}
