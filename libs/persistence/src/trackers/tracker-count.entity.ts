import { Column, Entity, PrimaryColumn } from 'typeorm';

/** A row is how often something happened to a tracker link in an hour on a platform. */
@Entity('tracker_counts')
export class TrackerCountEntity {
  @PrimaryColumn({ name: 'app_id', type: 'text' })
  appId!: string;

  @PrimaryColumn({ name: 'tracker_id', type: 'text' })
  trackerId!: string;

  /**
   * `visit`: the first click of a visitor on a day. `install`: a deferred link that a new installation took. `opened`, `declined`:
   * what its app decided.
   */
  @PrimaryColumn({ type: 'text' })
  kind!: string;

  @PrimaryColumn({ type: 'timestamptz' })
  hour!: Date;

  @PrimaryColumn({ type: 'text' })
  platform!: string;

  @Column({ type: 'bigint' })
  count!: string;
}
