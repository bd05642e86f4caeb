import { Column, Entity, PrimaryColumn } from 'typeorm';

/** A row is a message that somebody is writing, as far as it is written. A send that names it removes it. */
@Entity('drafts')
export class SavedDraftEntity {
  @PrimaryColumn({ name: 'app_id', type: 'text' })
  appId!: string;

  @PrimaryColumn({ name: 'draft_id', type: 'uuid' })
  draftId!: string;

  @Column({ type: 'text' })
  name!: string;

  /** What its editor keeps: nothing reads it but editors. */
  @Column({ type: 'jsonb' })
  message!: unknown;

  /** Rises with each save, which names the revision that it was made from. */
  @Column({ type: 'integer' })
  revision!: number;

  @Column({ name: 'created_at', type: 'timestamptz' })
  createdAt!: Date;

  @Column({ name: 'updated_at', type: 'timestamptz' })
  updatedAt!: Date;

  /** The access token that saved it last; null: an operator. */
  @Column({ name: 'updated_by', type: 'uuid', nullable: true })
  updatedBy!: string | null;
}
