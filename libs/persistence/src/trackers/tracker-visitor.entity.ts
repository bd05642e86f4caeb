import { Entity, PrimaryColumn } from 'typeorm';

/** A row is a visitor of a tracker link on a day. It goes after two days. */
@Entity('tracker_visitors')
export class TrackerVisitorEntity {
  @PrimaryColumn({ name: 'app_id', type: 'text' })
  appId!: string;

  @PrimaryColumn({ name: 'tracker_id', type: 'text' })
  trackerId!: string;

  @PrimaryColumn({ type: 'date' })
  day!: string;

  /** A keyed digest of tracker, day, address and user agent, useless on another day. */
  @PrimaryColumn({ type: 'bytea' })
  visitor!: Buffer;
}
