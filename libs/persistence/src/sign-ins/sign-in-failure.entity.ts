import { Column, Entity, PrimaryColumn } from 'typeorm';

/** A row of `sign_in_failures`: the wrong tokens that came from one address within one window of time. */
@Entity('sign_in_failures')
export class SignInFailureEntity {
  @PrimaryColumn({ type: 'text' })
  address!: string;

  @Column({ type: 'integer' })
  failures!: number;

  /** When the window is over. */
  @Column({ name: 'ends_at', type: 'timestamptz' })
  endsAt!: Date;
}
