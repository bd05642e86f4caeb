import { Column, Entity, PrimaryColumn } from 'typeorm';

/** A row is a device that changed hands in the last minute: whoever has one on a page that they work on passes it over. Unlogged. */
@Entity('hand_overs')
export class HandOverEntity {
  @PrimaryColumn({ type: 'bigint', insert: false, update: false })
  id!: string;

  @Column({ name: 'app_id', type: 'text' })
  appId!: string;

  @Column({ name: 'device_id', type: 'bigint' })
  deviceId!: string;

  /** The former owner. */
  @Column({ name: 'user_id', type: 'text' })
  userId!: string;

  @Column({ type: 'timestamptz' })
  at!: Date;
}
