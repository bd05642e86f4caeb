import { Column, Entity, PrimaryColumn } from 'typeorm';

/**
 * A row is the number of devices that did something with a message for the first time in an hour. Partitioned by the
 * day in the message's id.
 */
@Entity('message_counts')
export class MessageCountEntity {
  @PrimaryColumn({ name: 'app_id', type: 'text' })
  appId!: string;

  @PrimaryColumn({ name: 'message_id', type: 'uuid' })
  messageId!: string;

  /**
   * What they did. `clicked`: chose any action or link. `click`: every click on a tracked link, the only kind that does
   * not count devices.
   */
  @PrimaryColumn({ type: 'text' })
  kind!: string;

  /** The digest of `name`. */
  @PrimaryColumn({ name: 'name_key', type: 'bytea' })
  nameKey!: Buffer;

  @PrimaryColumn({ type: 'timestamptz' })
  hour!: Date;

  @PrimaryColumn({ type: 'text' })
  platform!: string;

  /** The action's id, the link, or a conversion's currency. */
  @Column({ type: 'text', nullable: true })
  name!: string | null;

  @Column({ type: 'bigint' })
  count!: string;

  /** The revenue of conversions. */
  @Column({ type: 'numeric' })
  amount!: string;
}
