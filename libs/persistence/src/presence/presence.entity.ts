import { Column, Entity, PrimaryColumn } from 'typeorm';

/** A row says which edge holds the connection of a device. Unlogged: after a crash of PostgreSQL every edge writes its own again. */
@Entity('presence')
export class PresenceEntity {
  @PrimaryColumn({ name: 'app_id', type: 'text' })
  appId!: string;

  /** The device's number. */
  @PrimaryColumn({ type: 'bigint' })
  id!: string;

  @Column({ name: 'edge_id', type: 'text' })
  edgeId!: string;

  @Column({ type: 'bigint' })
  epoch!: string;

  @Column({ name: 'connected_at', type: 'timestamptz' })
  connectedAt!: Date;
}
