import { Column, Entity, PrimaryColumn } from 'typeorm';

/** A row is a click that waits for an installation. */
@Entity('deferred_links')
export class DeferredLinkEntity {
  @PrimaryColumn({ name: 'app_id', type: 'text' })
  appId!: string;

  @PrimaryColumn({ name: 'token_key', type: 'bytea' })
  tokenKey!: Buffer;

  @Column({ name: 'tracker_id', type: 'text' })
  trackerId!: string;

  @Column({ name: 'deep_link', type: 'text' })
  deepLink!: string;

  @Column({ type: 'text' })
  platform!: string;

  @Column({ name: 'os_major', type: 'integer', nullable: true })
  osMajor!: number | null;

  @Column({ name: 'agent_key', type: 'bytea', nullable: true })
  agentKey!: Buffer | null;

  /** A keyed digest of the network address, only while the application wants matching by it. */
  @Column({ name: 'address_key', type: 'bytea', nullable: true })
  addressKey!: Buffer | null;

  @Column({ name: 'clicked_at', type: 'timestamptz' })
  clickedAt!: Date;

  @Column({ name: 'expires_at', type: 'timestamptz' })
  expiresAt!: Date;
}
