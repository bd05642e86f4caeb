import { Column, Entity } from 'typeorm';
import { FileChunkColumns, FileJobColumns, LineErrorColumns } from '../file-jobs/file-job.entity';

/** A row is an uploaded file of devices and how far it is imported. */
@Entity('device_imports')
export class DeviceImportEntity extends FileJobColumns {
  /** How the file is written. */
  @Column({ type: 'text' })
  kind!: string;

  /** How its records are read. */
  @Column({ type: 'jsonb' })
  options!: unknown;

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

  /** Of those that made, changed or left a device: how many lack a value that is wrong. */
  @Column({ type: 'bigint' })
  incomplete!: string;

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
}

/** A row is a piece of an uploaded file of devices, unpacked. It goes as soon as it is worked. */
@Entity('device_import_chunks')
export class DeviceImportChunkEntity extends FileChunkColumns {}

/** A row is a line of a file of devices that is wrong, and why. */
@Entity('device_import_errors')
export class DeviceImportErrorEntity extends LineErrorColumns {}
