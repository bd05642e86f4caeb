import { Column, Entity, PrimaryColumn } from 'typeorm';

/** A row is a conversion that a device reported after a message. Partitioned by the day in the message's id. */
@Entity('conversions')
export class ConversionEntity {
  @PrimaryColumn({ name: 'app_id', type: 'text' })
  appId!: string;

  @PrimaryColumn({ name: 'message_id', type: 'uuid' })
  messageId!: string;

  @PrimaryColumn({ name: 'device_id', type: 'bigint' })
  deviceId!: string;

  @PrimaryColumn({ type: 'text' })
  name!: string;

  @PrimaryColumn({ type: 'timestamptz' })
  at!: Date;

  @Column({ type: 'numeric' })
  revenue!: string;

  @Column({ type: 'text', nullable: true })
  currency!: string | null;
}
