import { Column, Entity, PrimaryColumn } from 'typeorm';
import type { DeviceId } from '@postrider/domain';

/** A row is a user of an application with frequency caps, and the counted messages that were lately sent to them. */
@Entity('user_contacts')
export class UserContactsEntity {
  @PrimaryColumn({ name: 'app_id', type: 'text' })
  appId!: string;

  @PrimaryColumn({ name: 'user_id', type: 'text' })
  userId!: string;

  /** An entry for each device that a message went to, newest first; `deviceIds` and `times` have the same places. */
  @Column({ name: 'message_ids', type: 'uuid', array: true })
  messageIds!: string[];

  @Column({ name: 'device_ids', type: 'bigint', array: true })
  deviceIds!: DeviceId[];

  /** When each was about to be sent. */
  @Column({ type: 'timestamptz', array: true })
  times!: Date[];

  /** `applications.contacts_since` when the row was written: under that, the row holds everything that was sent. */
  @Column({ name: 'counted_since', type: 'timestamptz' })
  countedSince!: Date;
}
