import { Column, Entity, PrimaryColumn } from 'typeorm';

/** A row is one uploaded file of promo codes and the set that it became. */
@Entity('promo_sets')
export class PromoSetEntity {
  @PrimaryColumn({ name: 'app_id', type: 'text' })
  appId!: string;

  @PrimaryColumn({ name: 'set_id', type: 'uuid' })
  setId!: string;

  /** The campaign; empty for the application's global set. */
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

  /** Those of them that an earlier set of the same source had handed out already: they stay with whom they were given to. */
  @Column({ name: 'given_before', type: 'bigint' })
  givenBefore!: string;

  /** The last code that was handed out. */
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

  /** How often a worker took the import on; its writes count only while the fence is still its own. */
  @Column({ type: 'integer' })
  fence!: number;

  /** How often the import failed by itself since it last got on. */
  @Column({ type: 'integer' })
  attempts!: number;

  /** How often a worker took the import on since it last got on, and did not give it back. */
  @Column({ type: 'integer' })
  interruptions!: number;

  /** When somebody should see to it (upload broken off, import forsaken, codes to be deleted); null: nothing to do. */
  @Column({ name: 'wake_at', type: 'timestamptz', nullable: true })
  wakeAt!: Date | null;

  @Column({ name: 'created_at', type: 'timestamptz' })
  createdAt!: Date;

  @Column({ name: 'in_force_at', type: 'timestamptz', nullable: true })
  inForceAt!: Date | null;

  @Column({ name: 'ended_at', type: 'timestamptz', nullable: true })
  endedAt!: Date | null;
}

/** A row is a piece of an uploaded file of promo codes as it came. It goes as soon as it is imported. */
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
 * A row is up to 128 promo codes of a set, one a line, in the order of the file: a tenth of the size and of the time of a row a
 * code. A code's ordinal is `number * 128` and its place in the row, from 1.
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

/** A row says which promo code a message gave to a user. It holds the code itself, so that a set can go. */
@Entity('promo_assignments')
export class PromoAssignmentEntity {
  @PrimaryColumn({ name: 'app_id', type: 'text' })
  appId!: string;

  @PrimaryColumn({ name: 'message_id', type: 'uuid' })
  messageId!: string;

  @PrimaryColumn({ name: 'user_id', type: 'text' })
  userId!: string;

  /** Null, as `ordinal` and `code`, when every set was used up: a message asks once for a user. */
  @Column({ name: 'set_id', type: 'uuid', nullable: true })
  setId!: string | null;

  @Column({ type: 'integer', nullable: true })
  ordinal!: number | null;

  @Column({ type: 'text', nullable: true })
  code!: string | null;

  @Column({ name: 'claimed_at', type: 'timestamptz' })
  claimedAt!: Date;
}
