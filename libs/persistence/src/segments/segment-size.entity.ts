import { Column, Entity, PrimaryColumn } from 'typeorm';

/** A row is the size that a saved segment had at one time. */
@Entity('segment_sizes')
export class SegmentSizeEntity {
  @PrimaryColumn({ name: 'app_id', type: 'text' })
  appId!: string;

  @PrimaryColumn({ name: 'segment_id', type: 'uuid' })
  segmentId!: string;

  @PrimaryColumn({ name: 'measured_at', type: 'timestamptz' })
  measuredAt!: Date;

  /** All that match. */
  @Column({ type: 'bigint' })
  devices!: string;

  /** Those of the devices that a message would be sent to. */
  @Column({ type: 'bigint' })
  reachable!: string;

  /** Null when counting them would have taken too long. */
  @Column({ type: 'bigint', nullable: true })
  users!: string | null;
}
