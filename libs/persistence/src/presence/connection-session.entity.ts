import { Column, Entity, PrimaryColumn } from 'typeorm';

/** A row is what an MQTT session keeps while its device is away. */
@Entity('connection_sessions')
export class ConnectionSessionEntity {
  @PrimaryColumn({ name: 'app_id', type: 'text' })
  appId!: string;

  /** The device's number. */
  @PrimaryColumn({ type: 'bigint' })
  id!: string;

  /** Whose subscriptions they are; under another owner the session does not exist. */
  @Column({ name: 'user_id', type: 'text' })
  userId!: string;

  /** `{ topic: granted QoS }`. */
  @Column({ type: 'jsonb' })
  subscriptions!: unknown;

  /** Null while it is connected, or when it never ends. */
  @Column({ name: 'expires_at', type: 'timestamptz', nullable: true })
  expiresAt!: Date | null;

  @Column({ name: 'updated_at', type: 'timestamptz' })
  updatedAt!: Date;

  /** `{ message id: packet identifier }` at the end of the last connection; null: nothing. */
  @Column({ name: 'in_flight', type: 'jsonb', nullable: true })
  inFlight!: unknown;

  /** As `public/<name>` or `private/<name>`, without the default ones. */
  @Column({ type: 'text', array: true })
  channels!: string[];
}
