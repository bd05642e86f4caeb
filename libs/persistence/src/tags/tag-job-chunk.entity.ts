import { Column, Entity, PrimaryColumn } from 'typeorm';

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
