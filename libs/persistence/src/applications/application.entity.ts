import type { ClientTags, FrequencyCap, QuietHours } from '@postrider/domain';
import { Column, Entity, PrimaryColumn } from 'typeorm';

/** A row is an application: the owner of access tokens, users and vendors. */
@Entity('applications')
export class ApplicationEntity {
  @PrimaryColumn({ name: 'app_id', type: 'text' })
  appId!: string;

  @Column({ type: 'text' })
  name!: string;

  @Column({ name: 'default_alert_text', type: 'text' })
  defaultAlertText!: string;

  @Column({ name: 'default_region', type: 'text', nullable: true })
  defaultRegion!: string | null;

  @Column({ name: 'require_user_hash', type: 'boolean' })
  requireUserHash!: boolean;

  @Column({ name: 'user_hash_required_at', type: 'timestamptz', nullable: true, select: false })
  userHashRequiredAt!: Date | null;

  /** The least `userProof` that an installation needs to get messages. */
  @Column({ name: 'least_proof', type: 'smallint', insert: false, update: false, select: false })
  leastProof!: number;

  @Column({ name: 'client_tags', type: 'text' })
  clientTags!: ClientTags;

  @Column({ name: 'protected_attributes', type: 'text', array: true })
  protectedAttributes!: string[];

  @Column({ name: 'promo_exhausted', type: 'text' })
  promoExhausted!: 'send_without' | 'skip';

  @Column({ name: 'requests_per_second', type: 'integer', nullable: true })
  requestsPerSecond!: number | null;

  @Column({ name: 'devices_per_second', type: 'integer', nullable: true })
  devicesPerSecond!: number | null;

  @Column({ name: 'quiet_hours', type: 'jsonb', nullable: true })
  quietHours!: QuietHours | null;

  /** When the quiet hours were changed, while something may wait for the end of the former ones. Otherwise null. */
  @Column({ name: 'quiet_hours_changed_at', type: 'timestamptz', nullable: true, select: false })
  quietHoursChangedAt!: Date | null;

  @Column({ name: 'default_time_zone', type: 'text', nullable: true })
  defaultTimeZone!: string | null;

  @Column({ name: 'frequency_caps', type: 'jsonb' })
  frequencyCaps!: FrequencyCap[];

  /** From when on the application counts what its users get (`user_contacts`). Null: it does not count. */
  @Column({ name: 'contacts_since', type: 'timestamptz', nullable: true, select: false })
  contactsSince!: Date | null;

  @Column({ name: 'link_hosts', type: 'text', array: true })
  linkHosts!: string[];

  @Column({ name: 'link_schemes', type: 'text', array: true })
  linkSchemes!: string[];

  @Column({ name: 'match_by_address', type: 'boolean' })
  matchByAddress!: boolean;

  @Column({ name: 'deferred_link_minutes', type: 'integer' })
  deferredLinkMinutes!: number;

  @Column({ name: 'conversion_window_hours', type: 'integer' })
  conversionWindowHours!: number;

  /** Rises with each change. A change may name the revision that it is based on. */
  @Column({ name: 'settings_revision', type: 'integer', default: 1 })
  revision!: number;

  /** When its removal began. Null: it is not being removed. */
  @Column({ name: 'removal_began_at', type: 'timestamptz', nullable: true, insert: false, update: false })
  removalBeganAt!: Date | null;

  /** The process that deletes its data, or did so last. */
  @Column({ name: 'removal_id', type: 'uuid', nullable: true, insert: false, update: false, select: false })
  removalId!: string | null;

  /** Until when that process has the removal to itself. */
  @Column({ name: 'removal_until', type: 'timestamptz', nullable: true, insert: false, update: false, select: false })
  removalUntil!: Date | null;

  @Column({ name: 'identity_key_sealed', type: 'bytea', select: false })
  identityKeySealed!: Buffer;

  /** The identity key before, which proves users until `formerIdentityKeyUntil`. Null: there is none. */
  @Column({ name: 'former_identity_key_sealed', type: 'bytea', nullable: true, insert: false, select: false })
  formerIdentityKeySealed!: Buffer | null;

  @Column({ name: 'former_identity_key_until', type: 'timestamptz', nullable: true, insert: false })
  formerIdentityKeyUntil!: Date | null;

  @Column({ name: 'created_at', type: 'timestamptz' })
  createdAt!: Date;

  @Column({ name: 'updated_at', type: 'timestamptz' })
  updatedAt!: Date;
}
