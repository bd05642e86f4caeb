import { Column, Entity, PrimaryColumn } from 'typeorm';
import type { DeviceId } from '@postrider/domain';

/** A row is an erasure of a user that is under way. */
@Entity('erasures')
export class ErasureEntity {
  @PrimaryColumn({ name: 'app_id', type: 'text' })
  appId!: string;

  @PrimaryColumn({ name: 'user_id', type: 'text' })
  userId!: string;

  @PrimaryColumn({ name: 'erasure_id', type: 'uuid' })
  erasureId!: string;

  /**
   * Until when the erasure is in force, extended while it runs. An erasure whose process died is no longer in force,
   * but its row stays until the user is erased.
   */
  @Column({ name: 'ends_at', type: 'timestamptz' })
  endsAt!: Date;

  /** The devices whose traces are still to be removed. */
  @Column({ name: 'device_ids', type: 'bigint', array: true })
  deviceIds!: DeviceId[];
}
