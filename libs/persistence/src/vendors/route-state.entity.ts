import { Column, Entity, PrimaryColumn } from 'typeorm';
import type { CredentialVendor, JsonObject } from '@postrider/domain';

/** A row of `vendor_credentials`: `settings` may be shown, `sealed` holds the secrets. */
@Entity('vendor_credentials')
export class VendorCredentialEntity {
  @PrimaryColumn({ name: 'app_id', type: 'text' })
  appId!: string;

  @PrimaryColumn({ type: 'text' })
  vendor!: CredentialVendor;

  @Column({ type: 'jsonb' })
  settings!: JsonObject;

  @Column({ type: 'bytea' })
  sealed!: Buffer;

  @Column({ type: 'bigint' })
  revision!: string;

  @Column({ name: 'updated_at', type: 'timestamptz' })
  updatedAt!: Date;
}

/**
 * A row is one worker's view of one application at one vendor. Unlogged: after a crash of PostgreSQL every worker
 * writes its own again.
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

  /** Since when the breaker has its state. */
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

  /** Since when all calls have failed, whatever the breaker says. */
  @Column({ name: 'failing_since', type: 'timestamptz', nullable: true })
  failingSince!: Date | null;
}

/**
 * A row is the trouble of an application at a vendor, shared by all workers. A trouble is reported once: by the worker
 * that writes its time.
 */
@Entity('vendor_troubles')
export class VendorTroubleEntity {
  @PrimaryColumn({ name: 'app_id', type: 'text' })
  appId!: string;

  @PrimaryColumn({ type: 'text' })
  vendor!: string;

  @Column({ name: 'credentials_failing_since', type: 'timestamptz', nullable: true })
  credentialsFailingSince!: Date | null;

  @Column({ name: 'credentials_code', type: 'text', nullable: true })
  credentialsCode!: string | null;

  @Column({ name: 'credentials_reason', type: 'text', nullable: true })
  credentialsReason!: string | null;

  /** Revision of the credentials that fail. */
  @Column({ name: 'credentials_revision', type: 'bigint', nullable: true })
  credentialsRevision!: string | null;

  @Column({ name: 'breaker_open_since', type: 'timestamptz', nullable: true })
  breakerOpenSince!: Date | null;

  @Column({ name: 'breaker_code', type: 'text', nullable: true })
  breakerCode!: string | null;

  @Column({ name: 'breaker_reason', type: 'text', nullable: true })
  breakerReason!: string | null;

  /** Revision of the credentials with which the vendor accepted something. */
  @Column({ name: 'worked_revision', type: 'bigint', nullable: true })
  workedRevision!: string | null;

  /** When the operator asked to try a held route again at once. */
  @Column({ name: 'retry_asked_at', type: 'timestamptz', nullable: true })
  retryAskedAt!: Date | null;

  /** While set, tokens that the vendor calls dead are kept in `quarantined_tokens`. */
  @Column({ name: 'quarantined_since', type: 'timestamptz', nullable: true })
  quarantinedSince!: Date | null;

  @Column({ name: 'quarantined_share', type: 'real', nullable: true })
  quarantinedShare!: number | null;

  /** Until when the operator trusts the vendor, after they had quarantined tokens switched off. */
  @Column({ name: 'trusted_until', type: 'timestamptz', nullable: true })
  trustedUntil!: Date | null;

  /**
   * This and the other `watch…` columns are the state that the guard of vendor tokens keeps between answers
   * (docs/decisions/0015).
   */
  @Column({ name: 'watch_excess', type: 'real' })
  watchExcess!: number;

  @Column({ name: 'watch_answers', type: 'integer' })
  watchAnswers!: number;

  @Column({ name: 'watch_dead', type: 'integer' })
  watchDead!: number;

  @Column({ name: 'quarantined_normal_share', type: 'real', nullable: true })
  quarantinedNormalShare!: number | null;

  @Column({ name: 'watch_drift', type: 'real' })
  watchDrift!: number;
}
