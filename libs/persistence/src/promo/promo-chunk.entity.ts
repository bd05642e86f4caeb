import { Column, Entity, PrimaryColumn } from 'typeorm';

/** A row is a piece of an uploaded file of promo codes as it came. It goes as soon as it is imported. */
@Entity('promo_chunks')
export class PromoChunkEntity {
  @PrimaryColumn({ name: 'app_id', type: 'text' })
  appId!: string;

  @PrimaryColumn({ name: 'set_id', type: 'uuid' })
  setId!: string;

  @PrimaryColumn({ type: 'integer' })
  number!: number;

  @Column({ type: 'bytea' })
  content!: Buffer;
}
