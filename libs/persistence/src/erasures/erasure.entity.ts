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
   * Until when it holds, moved on while the erasure goes on; one whose process died holds no longer, but stays until the user is
   * erased.
   */
  @Column({ name: 'ends_at', type: 'timestamptz' })
  endsAt!: Date;

  /** What the erasure still has to look for. */
  @Column({ name: 'device_ids', type: 'bigint', array: true })
  deviceIds!: DeviceId[];
}
