import { Column, Entity, PrimaryColumn } from 'typeorm';
import type { DeviceId } from '@postrider/domain';

/** A row says which edge holds the connection of a device. Unlogged: after a crash of PostgreSQL every edge writes its own again. */
@Entity('presence')
export class PresenceEntity {
  @PrimaryColumn({ name: 'app_id', type: 'text' })
  appId!: string;

  /** The number of the device. */
  @PrimaryColumn({ type: 'bigint' })
  id!: string;

  @Column({ name: 'edge_id', type: 'text' })
  edgeId!: string;

  @Column({ type: 'bigint' })
  epoch!: string;

  @Column({ name: 'connected_at', type: 'timestamptz' })
  connectedAt!: Date;
}

/** A row is a device edge that runs. Unlogged. */
@Entity('edges')
export class EdgeEntity {
  @PrimaryColumn({ name: 'edge_id', type: 'text' })
  edgeId!: string;

  @Column({ name: 'heartbeat_at', type: 'timestamptz' })
  heartbeatAt!: Date;
}

/** A row is what an MQTT session keeps while its device is away. */
@Entity('connection_sessions')
export class ConnectionSessionEntity {
  @PrimaryColumn({ name: 'app_id', type: 'text' })
  appId!: string;

  /** The number of the device. */
  @PrimaryColumn({ type: 'bigint' })
  id!: string;

  /** Whose subscriptions they are; under another owner the session does not exist. */
  @Column({ name: 'user_id', type: 'text' })
  userId!: string;

  /** `{ topic: granted QoS }`. */
  @Column({ type: 'jsonb' })
  subscriptions!: unknown;

  /** Null while the device is connected, or if the session never ends. */
  @Column({ name: 'expires_at', type: 'timestamptz', nullable: true })
  expiresAt!: Date | null;

  /** How long it outlives the connection that its device has. Null: for ever, or the device is not connected. */
  @Column({ name: 'expiry_seconds', type: 'bigint', nullable: true })
  expirySeconds!: string | null;

  @Column({ name: 'updated_at', type: 'timestamptz' })
  updatedAt!: Date;

  /** `{ message id: packet identifier }` at the end of the last connection; null: nothing. */
  @Column({ name: 'in_flight', type: 'jsonb', nullable: true })
  inFlight!: unknown;

  /** Packet identifiers of publishes of QoS 2 that were accepted and not released on the last connection; null: none. */
  @Column({ type: 'jsonb', nullable: true })
  unreleased!: unknown;

  /** Like `public/<name>` or `private/<name>`, without the default ones. */
  @Column({ type: 'text', array: true })
  channels!: string[];
}

/**
 * A row is a connection that an edge has to close, because the device connected elsewhere, has another owner or is
 * gone. The edge deletes its own rows. Unlogged.
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
  deviceId!: DeviceId;

  @Column({ type: 'bigint' })
  epoch!: string;

  @Column({ type: 'text' })
  reason!: string;

  @Column({ name: 'created_at', type: 'timestamptz' })
  createdAt!: Date;
}
