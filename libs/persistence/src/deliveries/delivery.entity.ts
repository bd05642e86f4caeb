import { Column, Entity, PrimaryColumn } from 'typeorm';
import type { DeviceId } from '@postrider/domain';

/**
 * A row is the outcome of one message for one installation, written with its first outcome. While a device waits on an
 * open page, the page is its record. Partitioned by the day in the message's id.
 */
@Entity('deliveries')
export class DeliveryEntity {
  @PrimaryColumn({ name: 'app_id', type: 'text' })
  appId!: string;

  @PrimaryColumn({ name: 'message_id', type: 'uuid' })
  messageId!: string;

  @PrimaryColumn({ name: 'device_id', type: 'bigint' })
  deviceId!: DeviceId;

  @Column({ type: 'text' })
  state!: string;

  /** `deliveryStateRank(state)`: a row only ever changes to a higher one. */
  @Column({ type: 'smallint' })
  rank!: number;

  @Column({ type: 'text', nullable: true })
  vendor!: string | null;

  @Column({ name: 'vendor_message_id', type: 'text', nullable: true })
  vendorMessageId!: string | null;

  @Column({ name: 'error_code', type: 'text', nullable: true })
  errorCode!: string | null;

  @Column({ type: 'text', nullable: true })
  reason!: string | null;

  @Column({ type: 'smallint' })
  attempt!: number;

  @Column({ name: 'promo_code', type: 'text', nullable: true })
  promoCode!: string | null;

  /** The tag of the message's `localized` that the message was sent in. Null: the default, or not sent. */
  @Column({ type: 'text', nullable: true })
  language!: string | null;

  @Column({ name: 'created_at', type: 'timestamptz' })
  createdAt!: Date;

  @Column({ name: 'sent_at', type: 'timestamptz', nullable: true })
  sentAt!: Date | null;

  @Column({ name: 'delivered_at', type: 'timestamptz', nullable: true })
  deliveredAt!: Date | null;

  @Column({ name: 'shown_at', type: 'timestamptz', nullable: true })
  shownAt!: Date | null;

  @Column({ name: 'opened_at', type: 'timestamptz', nullable: true })
  openedAt!: Date | null;

  @Column({ name: 'dismissed_at', type: 'timestamptz', nullable: true })
  dismissedAt!: Date | null;

  @Column({ name: 'updated_at', type: 'timestamptz' })
  updatedAt!: Date;

  /**
   * The edge that held the device's connection when the delivery was routed to it. Null once the delivery was
   * acknowledged or rerouted.
   */
  @Column({ name: 'edge_id', type: 'text', nullable: true })
  edgeId!: string | null;

  /** True if a vendor has the message and it is also kept for the device's connection. Null: no. */
  @Column({ name: 'in_inbox', type: 'boolean', nullable: true })
  inInbox!: boolean | null;

  /**
   * True if a pack holds the delivery too, with the time at which it was sent: the row was made when the device
   * reported something. Null: no.
   */
  @Column({ name: 'is_packed', type: 'boolean', nullable: true })
  isPacked!: boolean | null;
}
