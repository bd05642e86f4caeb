import { Column, PrimaryColumn } from 'typeorm';

/** The columns that name the uploaded file that a row belongs to. */
abstract class OfFileJobColumns {
  @PrimaryColumn({ name: 'app_id', type: 'text' })
  appId!: string;

  @PrimaryColumn({ name: 'job_id', type: 'uuid' })
  jobId!: string;
}

/**
 * The columns of an uploaded file and of its progress. Each kind of file adds its counts (see `FileJobsRepository`).
 */
export abstract class FileJobColumns extends OfFileJobColumns {
  @Column({ type: 'text' })
  status!: string;

  @Column({ type: 'text', nullable: true })
  reason!: string | null;

  /** The names of a CSV file's columns, or what they hold, once the first record was read. */
  @Column({ type: 'text', array: true, nullable: true })
  columns!: string[] | null;

  @Column({ type: 'bigint' })
  bytes!: string;

  /**
   * Processed bytes. Moved in the transaction that writes what they say, so that every line counts once however often a
   * worker dies.
   */
  @Column({ type: 'bigint' })
  position!: string;

  /** Processed lines (of a document: elements). Moved with `position`. */
  @Column({ type: 'bigint' })
  lines!: string;

  /** When recovery should handle the job: it is abandoned, its upload was cut off, or it was kept long enough. */
  @Column({ name: 'wake_at', type: 'timestamptz', nullable: true })
  wakeAt!: Date | null;

  @Column({ name: 'created_at', type: 'timestamptz' })
  createdAt!: Date;

  @Column({ name: 'finished_at', type: 'timestamptz', nullable: true })
  finishedAt!: Date | null;
}

/** The columns of a piece of an uploaded file. A piece is deleted as soon as it is processed. */
export abstract class FileChunkColumns extends OfFileJobColumns {
  @PrimaryColumn({ type: 'integer' })
  number!: number;

  @Column({ type: 'bytea' })
  content!: Buffer;
}

/** The columns of a line of an uploaded file that was refused, and why. */
export abstract class LineErrorColumns extends OfFileJobColumns {
  @PrimaryColumn({ type: 'bigint' })
  line!: string;

  @Column({ type: 'text' })
  message!: string;
}
