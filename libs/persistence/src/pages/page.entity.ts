import { Column, Entity, PrimaryColumn } from 'typeorm';
import type { DeviceId } from '@postrider/domain';

/**
 * A row is up to 500 installations of one vendor that are to get one message: the unit of work. Partitioned by the day in the
 * message's id.
 */
@Entity('pages')
export class PageEntity {
  @PrimaryColumn({ name: 'app_id', type: 'text' })
  appId!: string;

  @PrimaryColumn({ name: 'message_id', type: 'uuid' })
  messageId!: string;

  @PrimaryColumn({ type: 'uuid' })
  id!: string;

  @Column({ type: 'text' })
  vendor!: string;

  @Column({ type: 'text' })
  lane!: string;

  /** The numbers of its installations, in order. */
  @Column({ name: 'device_ids', type: 'bigint', array: true })
  deviceIds!: DeviceId[];

  @Column({ type: 'text' })
  state!: string;

  @Column({ type: 'integer' })
  attempt!: number;

  /** How often it was claimed. A worker's writes count only while the fence is still its own. */
  @Column({ type: 'integer' })
  fence!: number;

  @Column({ name: 'leased_by', type: 'text', nullable: true })
  leasedBy!: string | null;

  @Column({ name: 'not_before', type: 'timestamptz', nullable: true })
  notBefore!: Date | null;

  /**
   * When a vendor was first called about these devices, carried over to their retry pages. Null again while a route is
   * held.
   */
  @Column({ name: 'first_attempt_at', type: 'timestamptz', nullable: true })
  firstAttemptAt!: Date | null;

  /** True if all of the devices were already written to the vendor once and no answer came. */
  @Column({ name: 'is_unanswered', type: 'boolean' })
  isUnanswered!: boolean;

  /** When recovery should handle the page again (never enqueued, lease over, retry due). Null if it is finished. */
  @Column({ name: 'wake_at', type: 'timestamptz', nullable: true })
  wakeAt!: Date | null;

  @Column({ name: 'created_at', type: 'timestamptz' })
  createdAt!: Date;

  @Column({ name: 'finished_at', type: 'timestamptz', nullable: true })
  finishedAt!: Date | null;

  /** True if a worker has to ask for admission before it claims the page. */
  @Column({ name: 'is_steered', type: 'boolean' })
  isSteered!: boolean;

  /** The page's own start, if the message begins at another moment in each time zone. */
  @Column({ name: 'starts_at', type: 'timestamptz', nullable: true })
  startsAt!: Date | null;

  /** The page's own end, if the message begins at another moment in each time zone. */
  @Column({ name: 'expires_at', type: 'timestamptz', nullable: true })
  expiresAt!: Date | null;

  /** The page's turn; see `turnIsCounted`. */
  @Column({ name: 'turn_at', type: 'timestamptz', nullable: true })
  turnAt!: Date | null;

  /** True if the application's limit has counted it. */
  @Column({ name: 'turn_is_counted', type: 'boolean' })
  turnIsCounted!: boolean;

  /** The fence at which the page was admitted, at `turnAt`. Null: it was not, or waits for another turn. */
  @Column({ name: 'admitted_fence', type: 'integer', nullable: true })
  admittedFence!: number | null;

  /**
   * The edge that held the connections of the page's devices when it was written. Null on every other page. Such a page
   * has vendor `connection`, is `running` with fence 1, and is deleted when each of its devices has a delivery row.
   */
  @Column({ name: 'edge_id', type: 'text', nullable: true })
  edgeId!: string | null;

  /** Leases that ended without a result, and whose owner never said that it is alive. */
  @Column({ type: 'smallint' })
  losses!: number;

  /** True if the application counted campaigns by user when the page was last claimed. */
  @Column({ name: 'is_counted', type: 'boolean' })
  isCounted!: boolean;

  /** What the page waits for. Null: its time, or another attempt. */
  @Column({ name: 'waits_for', type: 'text', nullable: true })
  waitsFor!: string | null;
}
