import { Column, Entity, PrimaryColumn } from 'typeorm';

/**
 * A row holds many deliveries of one message that the vendor accepted at the first attempt and that have nothing else
 * to record. A device that reports something gets a row of `deliveries` in addition. Partitioned by the day in the
 * message's id.
 */
@Entity('delivery_packs')
export class DeliveryPackEntity {
  @PrimaryColumn({ name: 'app_id', type: 'text' })
  appId!: string;

  @PrimaryColumn({ name: 'message_id', type: 'uuid' })
  messageId!: string;

  /** The range of numbers in which all of its devices are (`spanOf`). */
  @PrimaryColumn({ type: 'bigint' })
  span!: string;

  @PrimaryColumn({ type: 'uuid' })
  id!: string;

  @Column({ type: 'text' })
  vendor!: string;

  /** The numbers of its installations, in order. */
  @Column({ name: 'device_ids', type: 'bigint', array: true })
  deviceIds!: string[];

  /** The number of deliveries. */
  @Column({ type: 'integer' })
  count!: number;

  /** When each was sent and the vendor's id of it, in the order of `device_ids` (`encodeDetails`). */
  @Column({ type: 'bytea' })
  details!: Buffer;

  /** The tag of the message's `localized` that all of them were sent in. Null: the default. */
  @Column({ type: 'text', nullable: true })
  language!: string | null;

  @Column({ name: 'created_at', type: 'timestamptz' })
  createdAt!: Date;
}
