import { Column, Entity, PrimaryColumn } from 'typeorm';

/**
 * A row is a connection that an edge has to close, because the device connected elsewhere, has another owner or is gone. The edge
 * takes its own away. Unlogged.
 */
@Entity('connection_closures')
export class ConnectionClosureEntity {
  @PrimaryColumn({ type: 'bigint', insert: false, update: false })
  id!: string;

  @Column({ name: 'edge_id', type: 'text' })
  edgeId!: string;

  @Column({ name: 'app_id', type: 'text' })
  appId!: string;

  @Column({ name: 'device_id', type: 'bigint' })
  deviceId!: string;

  @Column({ type: 'bigint' })
  epoch!: string;

  @Column({ type: 'text' })
  reason!: string;

  @Column({ name: 'created_at', type: 'timestamptz' })
  createdAt!: Date;
}
