import { Column, Entity } from 'typeorm';
import { FileChunkColumns, FileJobColumns, LineErrorColumns } from '../file-jobs/file-job.entity';

/** A row is an uploaded file of tags and its progress. */
@Entity('tag_jobs')
export class TagJobEntity extends FileJobColumns {
  @Column({ type: 'text' })
  format!: string;

  @Column({ type: 'text' })
  operation!: string;

  @Column({ name: 'failed_lines', type: 'bigint' })
  failedLines!: string;

  @Column({ name: 'users_changed', type: 'bigint' })
  usersChanged!: string;

  @Column({ name: 'devices_changed', type: 'bigint' })
  devicesChanged!: string;

  @Column({ name: 'unknown_users', type: 'bigint' })
  unknownUsers!: string;
}

/** A row is a piece of an uploaded file of tags as it came. It is deleted as soon as it is processed. */
@Entity('tag_job_chunks')
export class TagJobChunkEntity extends FileChunkColumns {}

/** A row is a line of a file of tags that could not be processed, and why. */
@Entity('tag_job_errors')
export class TagJobErrorEntity extends LineErrorColumns {}
