import { Column, Entity, PrimaryColumn } from 'typeorm';

/** A row is the SMS to one user that is sent if no device confirms a message in time. */
@Entity('fallbacks')
export class FallbackEntity {
  @PrimaryColumn({ name: 'app_id', type: 'text' })
  appId!: string;

  @PrimaryColumn({ name: 'message_id', type: 'uuid' })
  messageId!: string;

  @PrimaryColumn({ name: 'user_id', type: 'text' })
  userId!: string;

  /** The id by which the provider names it in its reports. */
  @Column({ name: 'fallback_id', type: 'uuid' })
  fallbackId!: string;

  @Column({ type: 'text' })
  state!: string;

  /** `SHOWN` if only a receipt that the message was seen confirms it. */
  @Column({ type: 'text', nullable: true })
  policy!: string | null;

  @Column({ name: 'due_at', type: 'timestamptz' })
  dueAt!: Date;

  /**
   * When a worker should handle it: its SMS is due, the lease of its sender is over, or the provider can be asked about
   * it. Null if there is nothing to do.
   */
  @Column({ name: 'wake_at', type: 'timestamptz', nullable: true })
  wakeAt!: Date | null;

  /** How often it was claimed for sending. A worker's result counts only for the newest claim. */
  @Column({ type: 'integer' })
  attempt!: number;

  /** How often a provider was asked about it. */
  @Column({ type: 'smallint' })
  inquiries!: number;

  @Column({ type: 'text', nullable: true })
  phone!: string | null;

  @Column({ type: 'text', nullable: true })
  provider!: string | null;

  /** Revision of the credentials with which it was claimed last. Null if a worker of an earlier version claimed it. */
  @Column({ name: 'credentials_revision', type: 'bigint', nullable: true })
  credentialsRevision!: string | null;

  @Column({ name: 'provider_message_id', type: 'text', nullable: true })
  providerMessageId!: string | null;

  @Column({ name: 'error_code', type: 'text', nullable: true })
  errorCode!: string | null;

  @Column({ type: 'text', nullable: true })
  reason!: string | null;

  @Column({ name: 'created_at', type: 'timestamptz' })
  createdAt!: Date;

  @Column({ name: 'attempted_at', type: 'timestamptz', nullable: true })
  attemptedAt!: Date | null;

  /** The SHA-256 of the text that was last written to the provider: a text may be the user's own. */
  @Column({ name: 'text_digest', type: 'bytea', nullable: true })
  textDigest!: Buffer | null;

  @Column({ name: 'sent_at', type: 'timestamptz', nullable: true })
  sentAt!: Date | null;

  @Column({ name: 'ended_at', type: 'timestamptz', nullable: true })
  endedAt!: Date | null;

  @Column({ name: 'updated_at', type: 'timestamptz' })
  updatedAt!: Date;

  /** True if it is claimed for sending, but its request is not written yet. */
  @Column({ name: 'is_unwritten', type: 'boolean' })
  isUnwritten!: boolean;

  /** How often it was sent again although nobody knew whether the provider had accepted it. */
  @Column({ type: 'smallint' })
  resent!: number;
}

/** A row is a number whose owner told an SMS provider to stop. It gets no SMS until the operator deletes the row. */
@Entity('opted_out_numbers')
export class OptedOutNumberEntity {
  @PrimaryColumn({ name: 'app_id', type: 'text' })
  appId!: string;

  /** A keyed digest of the number. */
  @PrimaryColumn({ type: 'text' })
  phone!: string;

  @Column({ type: 'text' })
  provider!: string;

  @Column({ type: 'text' })
  code!: string;

  @Column({ name: 'opted_out_at', type: 'timestamptz' })
  optedOutAt!: Date;
}

/**
 * A row is a key that makes digests of telephone numbers. Keys that are no longer in use recognise the digests that
 * they made.
 */
@Entity('phone_keys')
export class PhoneKeyEntity {
  @PrimaryColumn({ name: 'phone_key_id', type: 'uuid' })
  phoneKeyId!: string;

  /** The key, encrypted with `SECRET_KEY`. */
  @Column({ type: 'bytea' })
  sealed!: Buffer;

  @Column({ name: 'is_in_use', type: 'boolean' })
  isInUse!: boolean;

  @Column({ name: 'created_at', type: 'timestamptz' })
  createdAt!: Date;
}
