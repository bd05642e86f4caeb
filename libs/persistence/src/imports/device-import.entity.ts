import { Column, Entity, PrimaryColumn } from 'typeorm';

/** A row is an uploaded file of devices and how far it is imported. */
@Entity('device_imports')
export class DeviceImportEntity {
  @PrimaryColumn({ name: 'app_id', type: 'text' })
  appId!: string;

  @PrimaryColumn({ name: 'job_id', type: 'uuid' })
  jobId!: string;

  /** How the file is written. */
  @Column({ type: 'text' })
  kind!: string;

  /** How its records are read. */
  @Column({ type: 'jsonb' })
  options!: unknown;

  @Column({ type: 'text' })
  status!: string;

  @Column({ type: 'text', nullable: true })
  reason!: string | null;

  /** The names of a CSV file's columns, once its first record was read. */
  @Column({ type: 'text', array: true, nullable: true })
  columns!: string[] | null;

  @Column({ type: 'bigint' })
  bytes!: string;

  /** Bytes that are worked; moved in the transaction that writes the devices, so that every record counts once. */
  @Column({ type: 'bigint' })
  position!: string;

  /** Lines that are worked, of a document its elements; moved with `position`. */
  @Column({ type: 'bigint' })
  lines!: string;

  /** Records that made a device, changed one, changed nothing, cannot be pushed to, are wrong. */
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

  /** Records whose token the vendor took, refused, or gave no answer about; counted where the caller asked for validation. */
  @Column({ name: 'valid_tokens', type: 'bigint' })
  validTokens!: string;

  @Column({ name: 'invalid_tokens', type: 'bigint' })
  invalidTokens!: string;

  @Column({ name: 'unanswered_tokens', type: 'bigint' })
  unansweredTokens!: string;

  /** Why there was no answer about a token, the last time. */
  @Column({ name: 'validation_error', type: 'text', nullable: true })
  validationError!: string | null;

  /** When recovery should see to the job (forsaken, its upload broken off, or kept long enough). */
  @Column({ name: 'wake_at', type: 'timestamptz', nullable: true })
  wakeAt!: Date | null;

  @Column({ name: 'created_at', type: 'timestamptz' })
  createdAt!: Date;

  @Column({ name: 'finished_at', type: 'timestamptz', nullable: true })
  finishedAt!: Date | null;
}

/** A row is a piece of an uploaded file of devices, unpacked. It goes as soon as it is worked. */
@Entity('device_import_chunks')
export class DeviceImportChunkEntity {
  @PrimaryColumn({ name: 'app_id', type: 'text' })
  appId!: string;

  @PrimaryColumn({ name: 'job_id', type: 'uuid' })
  jobId!: string;

  @PrimaryColumn({ type: 'integer' })
  number!: number;

  @Column({ type: 'bytea' })
  content!: Buffer;
}

/** A row is a line of a file of devices that is wrong, and why. */
@Entity('device_import_errors')
export class DeviceImportErrorEntity {
  @PrimaryColumn({ name: 'app_id', type: 'text' })
  appId!: string;

  @PrimaryColumn({ name: 'job_id', type: 'uuid' })
  jobId!: string;

  @PrimaryColumn({ type: 'bigint' })
  line!: string;

  @Column({ type: 'text' })
  message!: string;
}
