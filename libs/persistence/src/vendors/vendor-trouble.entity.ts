import { Column, Entity, PrimaryColumn } from 'typeorm';

/** A row is what is wrong with an application at a vendor, for all workers. A trouble is reported once: by whoever writes its time. */
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

  /** Of the credentials that fail. */
  @Column({ name: 'credentials_revision', type: 'bigint', nullable: true })
  credentialsRevision!: string | null;

  @Column({ name: 'breaker_open_since', type: 'timestamptz', nullable: true })
  breakerOpenSince!: Date | null;

  @Column({ name: 'breaker_code', type: 'text', nullable: true })
  breakerCode!: string | null;

  @Column({ name: 'breaker_reason', type: 'text', nullable: true })
  breakerReason!: string | null;

  /** Of the credentials that the vendor has taken something with. */
  @Column({ name: 'worked_revision', type: 'bigint', nullable: true })
  workedRevision!: string | null;

  /** When the operator asked to try a held route again at once. */
  @Column({ name: 'retry_asked_at', type: 'timestamptz', nullable: true })
  retryAskedAt!: Date | null;

  /** While set, what a vendor calls dead is kept in `quarantined_tokens`. */
  @Column({ name: 'quarantined_since', type: 'timestamptz', nullable: true })
  quarantinedSince!: Date | null;

  @Column({ name: 'quarantined_share', type: 'real', nullable: true })
  quarantinedShare!: number | null;

  /** The operator had such tokens switched off, and believes the vendor for a while. */
  @Column({ name: 'trusted_until', type: 'timestamptz', nullable: true })
  trustedUntil!: Date | null;

  /** This and the other `watch…` columns are what the guard of vendor tokens remembers from answer to answer (docs/decisions/0015). */
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
