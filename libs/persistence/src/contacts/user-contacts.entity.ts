import { Column, Entity, PrimaryColumn } from 'typeorm';
import type { DeviceId } from '@postrider/domain';

/** A row is a user of an application with frequency caps, and the counted messages that they got lately. */
@Entity('user_contacts')
export class UserContactsEntity {
  @PrimaryColumn({ name: 'app_id', type: 'text' })
  appId!: string;

  @PrimaryColumn({ name: 'user_id', type: 'text' })
  userId!: string;

  /** One entry for each device that a message went to, newest first. `deviceIds` and `times` have the same order. */
  @Column({ name: 'message_ids', type: 'uuid', array: true })
  messageIds!: string[];

  @Column({ name: 'device_ids', type: 'bigint', array: true })
  deviceIds!: DeviceId[];

  /** When each message was about to be sent. */
  @Column({ type: 'timestamptz', array: true })
  times!: Date[];

  /**
   * `applications.contacts_since` at the time at which the row was written. While both are equal, the row holds
   * everything that was sent.
   */
  @Column({ name: 'counted_since', type: 'timestamptz' })
  countedSince!: Date;
}
