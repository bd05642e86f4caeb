import { Column, Entity, PrimaryColumn } from 'typeorm';
import type { DeviceId } from '@postrider/domain';

/** A row is what a vendor answered about the tokens of an application in an hour. */
@Entity('token_answers')
export class TokenAnswersEntity {
  @PrimaryColumn({ name: 'app_id', type: 'text' })
  appId!: string;

  @PrimaryColumn({ type: 'text' })
  vendor!: string;

  @PrimaryColumn({ type: 'timestamptz' })
  hour!: Date;

  @Column({ type: 'bigint' })
  answers!: string;

  @Column({ type: 'bigint' })
  dead!: string;

  /** How many of `answers` are about silent tokens. */
  @Column({ name: 'silent_answers', type: 'bigint' })
  silentAnswers!: string;

  /** How many of `dead` are about silent tokens. */
  @Column({ name: 'silent_dead', type: 'bigint' })
  silentDead!: string;

  /** Tokens switched off in that hour, without silent ones. */
  @Column({ type: 'bigint' })
  believed!: string;
}

/**
 * A row is a vendor token that a vendor called dead, until it is switched off, taken back or decided about. The table
 * is named after the rarer case: most rows are tokens that are merely noted, with the time at which they will be
 * switched off (`due_at`). While the application's quarantine at this vendor is in force, none of them is switched off
 * automatically.
 */
@Entity('quarantined_tokens')
export class QuarantinedTokenEntity {
  @PrimaryColumn({ name: 'app_id', type: 'text' })
  appId!: string;

  @PrimaryColumn({ type: 'text' })
  vendor!: string;

  @PrimaryColumn({ name: 'device_id', type: 'bigint' })
  deviceId!: DeviceId;

  /** SHA-256 of the token as it was when it was used. */
  @Column({ name: 'token_hash', type: 'bytea' })
  tokenHash!: Buffer;

  @Column({ name: 'registered_at', type: 'timestamptz', nullable: true })
  registeredAt!: Date | null;

  @Column({ name: 'dead_since', type: 'timestamptz', nullable: true })
  deadSince!: Date | null;

  @Column({ name: 'quarantined_at', type: 'timestamptz' })
  quarantinedAt!: Date;

  /**
   * When it is switched off, unless the application's quarantine at this vendor is in force. Null: never automatically.
   */
  @Column({ name: 'due_at', type: 'timestamptz', nullable: true })
  dueAt!: Date | null;

  /** True if the token had not been registered for so long that it may have died unnoticed. */
  @Column({ name: 'is_silent', type: 'boolean' })
  isSilent!: boolean;
}

/** A row is a vendor token that was switched off, with its installation and user. */
@Entity('removed_tokens')
export class RemovedTokenEntity {
  @PrimaryColumn({ name: 'app_id', type: 'text' })
  appId!: string;

  @PrimaryColumn({ type: 'bigint', insert: false, update: false })
  id!: string;

  @Column({ name: 'device_id', type: 'bigint' })
  deviceId!: string;

  @Column({ name: 'installation_id', type: 'uuid' })
  installationId!: string;

  @Column({ name: 'device_type', type: 'text', nullable: true })
  deviceType!: string | null;

  /** Its owner when it was switched off. */
  @Column({ name: 'user_id', type: 'text' })
  userId!: string;

  /** When the vendor called it dead. */
  @Column({ name: 'dead_at', type: 'timestamptz' })
  deadAt!: Date;
}
