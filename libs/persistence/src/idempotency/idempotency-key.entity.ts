import { Column, Entity, PrimaryColumn } from 'typeorm';

/** A row is an idempotency key that a caller sent, and the answer to the request. */
@Entity('idempotency_keys')
export class IdempotencyKeyEntity {
  @PrimaryColumn({ name: 'app_id', type: 'text' })
  appId!: string;

  @PrimaryColumn({ type: 'text' })
  key!: string;

  @Column({ name: 'request_hash', type: 'bytea' })
  requestHash!: Buffer;

  /** Null while the request runs. */
  @Column({ type: 'jsonb', nullable: true })
  answer!: unknown;

  @Column({ name: 'locked_at', type: 'timestamptz' })
  lockedAt!: Date;

  @Column({ name: 'created_at', type: 'timestamptz' })
  createdAt!: Date;
}
