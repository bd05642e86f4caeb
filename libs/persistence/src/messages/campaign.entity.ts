import { Column, Entity, PrimaryColumn } from 'typeorm';

/** A row is a campaign that was planned under a track id, before or without a message of it. */
@Entity('campaigns')
export class CampaignEntity {
  @PrimaryColumn({ name: 'app_id', type: 'text' })
  appId!: string;

  @PrimaryColumn({ name: 'track_id', type: 'text' })
  trackId!: string;

  @Column({ name: 'campaign_id', type: 'uuid' })
  campaignId!: string;

  @Column({ type: 'text', nullable: true })
  name!: string | null;

  @Column({ name: 'created_at', type: 'timestamptz' })
  createdAt!: Date;
}
