import { Column, Entity, PrimaryColumn } from 'typeorm';

/** A row is a tracker link. Its id is unique among all applications: a link names no application. */
@Entity('trackers')
export class TrackerEntity {
  @PrimaryColumn({ name: 'app_id', type: 'text' })
  appId!: string;

  @PrimaryColumn({ name: 'tracker_id', type: 'text' })
  trackerId!: string;

  @Column({ type: 'text' })
  name!: string;

  @Column({ name: 'deep_link', type: 'text', nullable: true })
  deepLink!: string | null;

  @Column({ type: 'text', nullable: true })
  destination!: string | null;

  @Column({ type: 'text', nullable: true })
  redirect!: string | null;

  @Column({ type: 'jsonb' })
  platforms!: unknown;

  @Column({ name: 'allowed_hosts', type: 'text', array: true })
  allowedHosts!: string[];

  @Column({ name: 'created_at', type: 'timestamptz' })
  createdAt!: Date;

  @Column({ name: 'updated_at', type: 'timestamptz' })
  updatedAt!: Date;
}
