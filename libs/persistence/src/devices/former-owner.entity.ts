import { Column, Entity, PrimaryColumn } from 'typeorm';

/** A row says who had a device from `since` until `until`: deliveries of that time are theirs. */
@Entity('former_owners')
export class FormerOwnerEntity {
  @PrimaryColumn({ name: 'app_id', type: 'text' })
  appId!: string;

  @PrimaryColumn({ type: 'bigint', insert: false, update: false })
  id!: string;

  @Column({ name: 'device_id', type: 'bigint' })
  deviceId!: string;

  @Column({ name: 'user_id', type: 'text' })
  userId!: string;

  @Column({ type: 'timestamptz' })
  since!: Date;

  @Column({ type: 'timestamptz' })
  until!: Date;
}
