import { Column, Entity, PrimaryColumn } from 'typeorm';

/** A row is a vendor token that a vendor called dead, until it is switched off, taken back or decided about. */
@Entity('quarantined_tokens')
export class QuarantinedTokenEntity {
  @PrimaryColumn({ name: 'app_id', type: 'text' })
  appId!: string;

  @PrimaryColumn({ type: 'text' })
  vendor!: string;

  @PrimaryColumn({ name: 'device_id', type: 'bigint' })
  deviceId!: string;

  /** SHA-256 of the token as it was when it was used. */
  @Column({ name: 'token_hash', type: 'bytea' })
  tokenHash!: Buffer;

  @Column({ name: 'registered_at', type: 'timestamptz', nullable: true })
  registeredAt!: Date | null;

  @Column({ name: 'dead_since', type: 'timestamptz', nullable: true })
  deadSince!: Date | null;

  @Column({ name: 'quarantined_at', type: 'timestamptz' })
  quarantinedAt!: Date;

  /** When it is switched off, unless the application's quarantine at this vendor stands; null: never by itself. */
  @Column({ name: 'due_at', type: 'timestamptz', nullable: true })
  dueAt!: Date | null;

  /** The token had not been registered for so long that it may have died by itself. */
  @Column({ name: 'is_silent', type: 'boolean' })
  isSilent!: boolean;
}
