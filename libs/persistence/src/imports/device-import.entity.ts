import { Column, Entity } from 'typeorm';
import { FileChunkColumns, FileJobColumns, LineErrorColumns } from '../file-jobs/file-job.entity';

/** A row is an uploaded file of devices, and the progress of its import. */
@Entity('device_imports')
export class DeviceImportEntity extends FileJobColumns {
  /** The name of the file, if its sender said it. */
  @Column({ type: 'text', nullable: true })
  name!: string | null;

  /** The kind of file: `csv`, `ndjson` or `json`. */
  @Column({ type: 'text' })
  kind!: string;

  /** How its records are read. */
  @Column({ type: 'jsonb' })
  options!: unknown;

  /** The same for files with the same bytes that are read in the same way. Null: an older file. */
  @Column({ type: 'bigint', nullable: true })
  fingerprint!: string | null;

  /**
   * The numbers of records: they created a device, updated one, changed nothing, cannot be pushed to (skipped), or are
   * wrong (failed).
   */
  @Column({ type: 'bigint' })
  created!: string;

  @Column({ type: 'bigint' })
  updated!: string;

  @Column({ type: 'bigint' })
  unchanged!: string;

  @Column({ type: 'bigint' })
  skipped!: string;

  @Column({ type: 'bigint' })
  failed!: string;

  /** How many of the created, updated and unchanged ones were imported without a value that was wrong. */
  @Column({ type: 'bigint' })
  incomplete!: string;

  /**
   * Records whose token the vendor accepted, refused or did not answer about; counted if the caller asked for
   * validation.
   */
  @Column({ name: 'valid_tokens', type: 'bigint' })
  validTokens!: string;

  @Column({ name: 'invalid_tokens', type: 'bigint' })
  invalidTokens!: string;

  @Column({ name: 'unanswered_tokens', type: 'bigint' })
  unansweredTokens!: string;

  /** Why the vendor gave no answer about a token, the last time. */
  @Column({ name: 'validation_error', type: 'text', nullable: true })
  validationError!: string | null;
}

/** A row is a piece of an uploaded file of devices, unpacked. It is deleted as soon as it is processed. */
@Entity('device_import_chunks')
export class DeviceImportChunkEntity extends FileChunkColumns {}

/** A row is a line of a file of devices that is wrong or incomplete, and the reason. */
@Entity('device_import_errors')
export class DeviceImportErrorEntity extends LineErrorColumns {}
