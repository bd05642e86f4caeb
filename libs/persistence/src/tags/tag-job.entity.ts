import { Column, Entity, PrimaryColumn } from 'typeorm';

/** A row is an uploaded file of tags and what has been done of it. */
@Entity('tag_jobs')
export class TagJobEntity {
  @PrimaryColumn({ name: 'app_id', type: 'text' })
  appId!: string;

  @PrimaryColumn({ name: 'job_id', type: 'uuid' })
  jobId!: string;

  @Column({ type: 'text' })
  format!: string;

  @Column({ type: 'text' })
  operation!: string;

  @Column({ type: 'text' })
  status!: string;

  @Column({ type: 'text', nullable: true })
  reason!: string | null;

  /** What a CSV file's columns hold, once its first line was read. */
  @Column({ type: 'text', array: true, nullable: true })
  columns!: string[] | null;

  @Column({ type: 'bigint' })
  bytes!: string;

  /** Bytes that are worked; moved in the transaction that changes the tags, so that every line counts once however often a worker dies. */
  @Column({ type: 'bigint' })
  position!: string;

  /** Lines that are worked; moved with `position`. */
  @Column({ type: 'bigint' })
  lines!: string;

  @Column({ name: 'failed_lines', type: 'bigint' })
  failedLines!: string;

  @Column({ name: 'users_changed', type: 'bigint' })
  usersChanged!: string;

  @Column({ name: 'devices_changed', type: 'bigint' })
  devicesChanged!: string;

  @Column({ name: 'unknown_users', type: 'bigint' })
  unknownUsers!: string;

  /** When recovery should see to the job (forsaken, its upload broken off, or kept long enough). */
  @Column({ name: 'wake_at', type: 'timestamptz', nullable: true })
  wakeAt!: Date | null;

  @Column({ name: 'created_at', type: 'timestamptz' })
  createdAt!: Date;

  @Column({ name: 'finished_at', type: 'timestamptz', nullable: true })
  finishedAt!: Date | null;
}

/** A row is a piece of an uploaded file of tags as it came. It goes as soon as it is worked. */
@Entity('tag_job_chunks')
export class TagJobChunkEntity {
  @PrimaryColumn({ name: 'app_id', type: 'text' })
  appId!: string;

  @PrimaryColumn({ name: 'job_id', type: 'uuid' })
  jobId!: string;

  @PrimaryColumn({ type: 'integer' })
  number!: number;

  @Column({ type: 'bytea' })
  content!: Buffer;
}

/** A row is a line of a file of tags that could not be worked, and why. */
@Entity('tag_job_errors')
export class TagJobErrorEntity {
  @PrimaryColumn({ name: 'app_id', type: 'text' })
  appId!: string;

  @PrimaryColumn({ name: 'job_id', type: 'uuid' })
  jobId!: string;

  @PrimaryColumn({ type: 'bigint' })
  line!: string;

  @Column({ type: 'text' })
  message!: string;
}
