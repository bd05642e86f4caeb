import { Column, Entity, PrimaryColumn } from 'typeorm';

/** A row is a link that a device reported as opened (contract, Deep links: clients below version 2). */
@Entity('link_opens')
export class LinkOpenEntity {
  @PrimaryColumn({ name: 'app_id', type: 'text' })
  appId!: string;

  @PrimaryColumn({ type: 'bigint', insert: false, update: false })
  id!: string;

  @Column({ name: 'device_id', type: 'bigint' })
  deviceId!: string;

  @Column({ name: 'user_id', type: 'text' })
  userId!: string;

  @Column({ type: 'text' })
  link!: string;

  @Column({ name: 'opened_at', type: 'timestamptz' })
  openedAt!: Date;

  @Column({ name: 'created_at', type: 'timestamptz' })
  createdAt!: Date;
}
