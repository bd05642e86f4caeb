import { Column, Entity, PrimaryColumn } from 'typeorm';

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
