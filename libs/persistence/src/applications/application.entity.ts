import { Column, Entity, PrimaryColumn } from 'typeorm';

/** A row of `applications`. */
@Entity('applications')
export class ApplicationEntity {
  @PrimaryColumn({ name: 'app_id', type: 'text' })
  appId!: string;

  @Column({ type: 'text' })
  name!: string;

  @Column({ name: 'default_alert_text', type: 'text' })
  defaultAlertText!: string;

  @Column({ name: 'default_region', type: 'text', nullable: true })
  defaultRegion!: string | null;

  @Column({ name: 'require_user_hash', type: 'boolean' })
  requireUserHash!: boolean;

  @Column({ name: 'promo_exhausted', type: 'text' })
  promoExhausted!: 'send_without' | 'skip';

  @Column({ name: 'requests_per_second', type: 'integer', nullable: true })
  requestsPerSecond!: number | null;

  @Column({ name: 'identity_key_sealed', type: 'bytea', select: false })
  identityKeySealed!: Buffer;

  @Column({ name: 'created_at', type: 'timestamptz' })
  createdAt!: Date;

  @Column({ name: 'updated_at', type: 'timestamptz' })
  updatedAt!: Date;
}
