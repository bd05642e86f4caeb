import { Column, Entity, PrimaryColumn } from 'typeorm';

/** A row is one uploaded file of promo codes and the set that it became. */
@Entity('promo_sets')
export class PromoSetEntity {
  @PrimaryColumn({ name: 'app_id', type: 'text' })
  appId!: string;

  @PrimaryColumn({ name: 'set_id', type: 'uuid' })
  setId!: string;

  /** The campaign. Empty for the application's global set. */
  @Column({ name: 'track_id', type: 'text' })
  trackId!: string;

  @Column({ type: 'text' })
  state!: string;

  @Column({ type: 'text', nullable: true })
  failure!: string | null;

  @Column({ type: 'text', nullable: true })
  reason!: string | null;

  @Column({ type: 'bigint' })
  bytes!: string;

  /** Bytes of the file that are in `promo_codes`; moved in the transaction that copies them. */
  @Column({ type: 'bigint' })
  position!: string;

  /** Lines of the file that are in `promo_codes`. */
  @Column({ type: 'bigint' })
  lines!: string;

  /** Codes of the file that are in `promo_codes`. */
  @Column({ type: 'bigint' })
  loaded!: string;

  @Column({ type: 'integer' })
  blocks!: number;

  /** Different codes of the file. */
  @Column({ type: 'bigint', nullable: true })
  total!: string | null;

  /** Codes that an earlier set of the same source had given out already: they stay with their users. */
  @Column({ name: 'given_before', type: 'bigint' })
  givenBefore!: string;

  /** The last code that was given out. */
  @Column({ name: 'last_ordinal', type: 'integer' })
  lastOrdinal!: number;

  /** How many codes are behind `lastOrdinal`. */
  @Column({ type: 'bigint' })
  remaining!: string;

  @Column({ type: 'bigint' })
  assigned!: string;

  @Column({ name: 'low_stock_at', type: 'bigint', nullable: true })
  lowStockAt!: string | null;

  /** When `remaining` fell to `lowStockAt` or below. */
  @Column({ name: 'low_since', type: 'timestamptz', nullable: true })
  lowSince!: Date | null;

  /** How often a worker took the import. A worker's writes count only while the fence is still its own. */
  @Column({ type: 'integer' })
  fence!: number;

  /** How often the import failed through its own fault since its last progress. */
  @Column({ type: 'integer' })
  attempts!: number;

  /** How often a worker took the import since its last progress, and did not give it back. */
  @Column({ type: 'integer' })
  interruptions!: number;

  /**
   * When recovery should handle it (upload interrupted, import abandoned, codes to be deleted). Null: nothing to do.
   */
  @Column({ name: 'wake_at', type: 'timestamptz', nullable: true })
  wakeAt!: Date | null;

  @Column({ name: 'created_at', type: 'timestamptz' })
  createdAt!: Date;

  @Column({ name: 'in_force_at', type: 'timestamptz', nullable: true })
  inForceAt!: Date | null;

  @Column({ name: 'ended_at', type: 'timestamptz', nullable: true })
  endedAt!: Date | null;
}

/** A row is a piece of an uploaded file of promo codes as it came. It is deleted as soon as it is imported. */
@Entity('promo_chunks')
export class PromoChunkEntity {
  @PrimaryColumn({ name: 'app_id', type: 'text' })
  appId!: string;

  @PrimaryColumn({ name: 'set_id', type: 'uuid' })
  setId!: string;

  @PrimaryColumn({ type: 'integer' })
  number!: number;

  @Column({ type: 'bytea' })
  content!: Buffer;
}

/**
 * A row is up to 128 promo codes of a set, one a line, in the order of the file. It takes a tenth of the size and time
 * of one row per code. The ordinal of a code is `number * 128` plus its place in the row, from 1.
 */
@Entity('promo_codes')
export class PromoCodesEntity {
  @PrimaryColumn({ name: 'app_id', type: 'text' })
  appId!: string;

  @PrimaryColumn({ name: 'set_id', type: 'uuid' })
  setId!: string;

  @PrimaryColumn({ type: 'integer' })
  number!: number;

  @Column({ type: 'text' })
  codes!: string;
}

/**
 * A row says which promo code a message gave to a user. It holds the code itself, so that a set can be deleted. Once the
 * user is erased, it says only that the code was given.
 */
@Entity('promo_assignments')
export class PromoAssignmentEntity {
  @PrimaryColumn({ name: 'app_id', type: 'text' })
  appId!: string;

  /** `ERASED_USER` if they were erased; `messageId` is an id of no message then. */
  @PrimaryColumn({ name: 'user_id', type: 'text' })
  userId!: string;

  @PrimaryColumn({ name: 'message_id', type: 'uuid' })
  messageId!: string;

  /** Null, like `ordinal` and `code`, if every set was used up: a message asks once for a user. */
  @Column({ name: 'set_id', type: 'uuid', nullable: true })
  setId!: string | null;

  @Column({ type: 'integer', nullable: true })
  ordinal!: number | null;

  @Column({ type: 'text', nullable: true })
  code!: string | null;

  @Column({ name: 'claimed_at', type: 'timestamptz' })
  claimedAt!: Date;
}
