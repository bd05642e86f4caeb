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

/** A row of `ended_sessions`: a session of the panel or the queues board that was ended before its time was over. */
@Entity('ended_sessions')
export class EndedSessionEntity {
  @PrimaryColumn({ name: 'session_id', type: 'uuid' })
  sessionId!: string;

  /** When the session's own time is over, and the row with it. */
  @Column({ name: 'forget_at', type: 'timestamptz' })
  forgetAt!: Date;
}
