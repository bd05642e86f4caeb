import { Column, Entity, PrimaryColumn } from 'typeorm';

/** A row is a deferred link that an installation took at its first registration, and whether its app opened it. */
@Entity('deferred_handovers')
export class DeferredHandoverEntity {
  @PrimaryColumn({ name: 'app_id', type: 'text' })
  appId!: string;

  @PrimaryColumn({ name: 'device_id', type: 'bigint' })
  deviceId!: string;

  @Column({ name: 'tracker_id', type: 'text' })
  trackerId!: string;

  @Column({ name: 'deep_link', type: 'text' })
  deepLink!: string;

  @Column({ type: 'text' })
  platform!: string;

  @Column({ name: 'matched_by', type: 'text' })
  matchedBy!: string;

  @Column({ name: 'clicked_at', type: 'timestamptz' })
  clickedAt!: Date;

  @Column({ name: 'handed_at', type: 'timestamptz' })
  handedAt!: Date;

  @Column({ type: 'boolean', nullable: true })
  opened!: boolean | null;

  @Column({ name: 'decided_at', type: 'timestamptz', nullable: true })
  decidedAt!: Date | null;
}
