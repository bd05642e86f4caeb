import { Column, Entity, PrimaryColumn } from 'typeorm';

/** A row is what a vendor answered about the tokens of an application in an hour. */
@Entity('token_answers')
export class TokenAnswersEntity {
  @PrimaryColumn({ name: 'app_id', type: 'text' })
  appId!: string;

  @PrimaryColumn({ type: 'text' })
  vendor!: string;

  @PrimaryColumn({ type: 'timestamptz' })
  hour!: Date;

  @Column({ type: 'bigint' })
  answers!: string;

  @Column({ type: 'bigint' })
  dead!: string;

  /** Of `answers`, those about silent tokens. */
  @Column({ name: 'silent_answers', type: 'bigint' })
  silentAnswers!: string;

  /** Of `dead`, those about silent tokens. */
  @Column({ name: 'silent_dead', type: 'bigint' })
  silentDead!: string;

  /** Tokens switched off in that hour, silent ones left out. */
  @Column({ type: 'bigint' })
  believed!: string;
}
