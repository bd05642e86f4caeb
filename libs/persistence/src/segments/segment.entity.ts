import { Column, Entity, PrimaryColumn } from 'typeorm';

/**
 * A row is a saved segment: `target` and `segment` as a request writes them, validated. A message that names the segment carries a
 * copy.
 */
@Entity('segments')
export class SegmentEntity {
  @PrimaryColumn({ name: 'app_id', type: 'text' })
  appId!: string;

  @PrimaryColumn({ name: 'segment_id', type: 'uuid' })
  segmentId!: string;

  @Column({ type: 'text' })
  name!: string;

  @Column({ type: 'jsonb', nullable: true })
  target!: unknown;

  @Column({ type: 'jsonb', nullable: true })
  segment!: unknown;

  /** Rises with each change. A change may name the revision that it is based on. */
  @Column({ type: 'integer', default: 1 })
  revision!: number;

  @Column({ name: 'created_at', type: 'timestamptz' })
  createdAt!: Date;

  @Column({ name: 'updated_at', type: 'timestamptz' })
  updatedAt!: Date;

  /**
   * When the segment is measured next: at once if it is new or changed. While it is being measured: when the
   * measurement is given up.
   */
  @Column({ name: 'measure_at', type: 'timestamptz' })
  measureAt!: Date;
}

/** A row is the size that a saved segment had at one time. */
@Entity('segment_sizes')
export class SegmentSizeEntity {
  @PrimaryColumn({ name: 'app_id', type: 'text' })
  appId!: string;

  @PrimaryColumn({ name: 'segment_id', type: 'uuid' })
  segmentId!: string;

  @PrimaryColumn({ name: 'measured_at', type: 'timestamptz' })
  measuredAt!: Date;

  /** All devices that match. */
  @Column({ type: 'bigint' })
  devices!: string;

  /** Those of the devices that a message would be sent to. */
  @Column({ type: 'bigint' })
  reachable!: string;

  /** Null if counting them would have taken too long. */
  @Column({ type: 'bigint', nullable: true })
  users!: string | null;
}
