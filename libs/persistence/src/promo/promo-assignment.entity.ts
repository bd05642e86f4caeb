import { Column, Entity, PrimaryColumn } from 'typeorm';

/** A row says which promo code a message gave to a user. It holds the code itself, so that a set can go. */
@Entity('promo_assignments')
export class PromoAssignmentEntity {
  @PrimaryColumn({ name: 'app_id', type: 'text' })
  appId!: string;

  @PrimaryColumn({ name: 'message_id', type: 'uuid' })
  messageId!: string;

  @PrimaryColumn({ name: 'user_id', type: 'text' })
  userId!: string;

  /** Null, as `ordinal` and `code`, when every set was used up: a message asks once for a user. */
  @Column({ name: 'set_id', type: 'uuid', nullable: true })
  setId!: string | null;

  @Column({ type: 'integer', nullable: true })
  ordinal!: number | null;

  @Column({ type: 'text', nullable: true })
  code!: string | null;

  @Column({ name: 'claimed_at', type: 'timestamptz' })
  claimedAt!: Date;
}
