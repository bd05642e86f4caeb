import { Column, Entity, PrimaryColumn } from 'typeorm';

/** A row is the state of a limit (`PaceMark` in libs/domain): of a message, or of an application under the nil id. */
@Entity('paces')
export class PaceEntity {
  @PrimaryColumn({ name: 'app_id', type: 'text' })
  appId!: string;

  @PrimaryColumn({ name: 'message_id', type: 'uuid' })
  messageId!: string;

  @Column({ name: 'next_at', type: 'timestamptz' })
  nextAt!: Date;

  @Column({ name: 'passed_until', type: 'timestamptz' })
  passedUntil!: Date;
}
