import { Column, Entity, PrimaryColumn } from 'typeorm';

/**
 * A row is up to 128 promo codes of a set, one a line, in the order of the file: a tenth of the size and of the time of a row a
 * code. A code's ordinal is `number * 128` and its place in the row, from 1.
 */
@Entity('promo_codes')
export class PromoCodesEntity {
  @PrimaryColumn({ name: 'app_id', type: 'text' })
  appId!: string;

  @PrimaryColumn({ name: 'set_id', type: 'uuid' })
  setId!: string;

  @PrimaryColumn({ type: 'integer' })
  number!: number;

  @Column({ type: 'text' })
  codes!: string;
}
