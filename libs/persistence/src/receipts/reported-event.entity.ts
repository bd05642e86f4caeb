import { Entity, PrimaryColumn } from 'typeorm';

/** A row is an event that a device reported, remembered so that a second report of it counts nothing. Partitioned by day. */
@Entity('reported_events')
export class ReportedEventEntity {
  @PrimaryColumn({ name: 'app_id', type: 'text' })
  appId!: string;

  @PrimaryColumn({ name: 'user_id', type: 'text' })
  userId!: string;

  /** Of the device and of all that tells the event from its others. */
  @PrimaryColumn({ type: 'bytea' })
  digest!: Buffer;

  /** In UTC, when it was first reported. */
  @PrimaryColumn({ type: 'date' })
  day!: string;
}
