import { Column, Entity, PrimaryColumn } from 'typeorm';

/**
 * A row is what one worker knows of one application at one vendor. Unlogged: after a crash of PostgreSQL every worker writes its own
 * again.
 */
@Entity('route_states')
export class RouteStateEntity {
  @PrimaryColumn({ name: 'app_id', type: 'text' })
  appId!: string;

  @PrimaryColumn({ type: 'text' })
  vendor!: string;

  @PrimaryColumn({ name: 'worker_id', type: 'text' })
  workerId!: string;

  @Column({ type: 'text' })
  breaker!: string;

  /** Of the breaker's state. */
  @Column({ type: 'timestamptz' })
  since!: Date;

  @Column({ name: 'open_until', type: 'timestamptz', nullable: true })
  openUntil!: Date | null;

  @Column({ name: 'in_flight', type: 'integer' })
  inFlight!: number;

  @Column({ name: 'credentials_revision', type: 'bigint', nullable: true })
  credentialsRevision!: string | null;

  @Column({ name: 'error_kind', type: 'text', nullable: true })
  errorKind!: string | null;

  @Column({ name: 'error_code', type: 'text', nullable: true })
  errorCode!: string | null;

  @Column({ name: 'error_reason', type: 'text', nullable: true })
  errorReason!: string | null;

  @Column({ name: 'error_at', type: 'timestamptz', nullable: true })
  errorAt!: Date | null;

  @Column({ name: 'heartbeat_at', type: 'timestamptz' })
  heartbeatAt!: Date;

  /** Since when calls have brought nothing but trouble, whatever the breaker says. */
  @Column({ name: 'failing_since', type: 'timestamptz', nullable: true })
  failingSince!: Date | null;
}
