import { Column, Entity, PrimaryColumn } from 'typeorm';

/** A row is a key that makes digests of telephone numbers; those that are not in use any more recognize what was made under them. */
@Entity('phone_keys')
export class PhoneKeyEntity {
  @PrimaryColumn({ name: 'phone_key_id', type: 'uuid' })
  phoneKeyId!: string;

  /** The key, encrypted with `SECRET_KEY`. */
  @Column({ type: 'bytea' })
  sealed!: Buffer;

  @Column({ name: 'is_in_use', type: 'boolean' })
  isInUse!: boolean;

  @Column({ name: 'created_at', type: 'timestamptz' })
  createdAt!: Date;
}
