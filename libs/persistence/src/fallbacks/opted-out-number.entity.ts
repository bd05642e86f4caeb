import { Column, Entity, PrimaryColumn } from 'typeorm';

/** A row is a number whose owner told an SMS provider to stop. Not sent to again until the operator removes it. */
@Entity('opted_out_numbers')
export class OptedOutNumberEntity {
  @PrimaryColumn({ name: 'app_id', type: 'text' })
  appId!: string;

  /** A keyed digest of the number. */
  @PrimaryColumn({ type: 'text' })
  phone!: string;

  @Column({ type: 'text' })
  provider!: string;

  @Column({ type: 'text' })
  code!: string;

  @Column({ name: 'opted_out_at', type: 'timestamptz' })
  optedOutAt!: Date;
}
