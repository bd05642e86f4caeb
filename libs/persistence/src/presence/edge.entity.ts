import { Column, Entity, PrimaryColumn } from 'typeorm';

/** A row is a device edge that runs. Unlogged. */
@Entity('edges')
export class EdgeEntity {
  @PrimaryColumn({ name: 'edge_id', type: 'text' })
  edgeId!: string;

  @Column({ name: 'heartbeat_at', type: 'timestamptz' })
  heartbeatAt!: Date;
}
