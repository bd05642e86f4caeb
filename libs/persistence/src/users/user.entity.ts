import { Column, Entity, PrimaryColumn } from 'typeorm';

/** A row is an end user of an application, with their tags and attributes. */
@Entity('users')
export class UserEntity {
  @PrimaryColumn({ name: 'app_id', type: 'text' })
  appId!: string;

  @PrimaryColumn({ name: 'user_id', type: 'text' })
  userId!: string;

  @Column({ type: 'text', array: true })
  tags!: string[];

  @Column({ name: 'tag_values', type: 'jsonb' })
  tagValues!: unknown;

  @Column({ type: 'jsonb' })
  attributes!: unknown;

  /** The names of attributes that hold a time. */
  @Column({ name: 'moment_names', type: 'jsonb', insert: false, update: false })
  momentNames!: unknown;

  @Column({ name: 'created_at', type: 'timestamptz' })
  createdAt!: Date;

  @Column({ name: 'updated_at', type: 'timestamptz' })
  updatedAt!: Date;

  /**
   * The `updatedAt` that an import wrote. While both are equal, only imports have changed the user since `importBase`.
   */
  @Column({ name: 'imported_at', type: 'timestamptz', nullable: true })
  importedAt!: Date | null;

  /** What the user had before imports changed them. Null: an import made them. */
  @Column({ name: 'import_base', type: 'jsonb', nullable: true })
  importBase!: unknown;

  /** The line that an import wrote the user from last, and the fingerprint of its file. Null: none, or unknown. */
  @Column({ name: 'imported_file', type: 'bigint', nullable: true })
  importedFile!: string | null;

  @Column({ name: 'imported_line', type: 'bigint', nullable: true })
  importedLine!: string | null;
}
