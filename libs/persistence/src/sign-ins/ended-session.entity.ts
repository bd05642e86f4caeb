import { Column, Entity, PrimaryColumn } from 'typeorm';

/** A row of `ended_sessions`: a session of the panel or the queues board that was ended before its time was over. */
@Entity('ended_sessions')
export class EndedSessionEntity {
  @PrimaryColumn({ name: 'session_id', type: 'uuid' })
  sessionId!: string;

  /** When the session's own time is over, and the row with it. */
  @Column({ name: 'forget_at', type: 'timestamptz' })
  forgetAt!: Date;
}
