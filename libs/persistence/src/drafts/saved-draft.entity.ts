import { Column, Entity, PrimaryColumn } from 'typeorm';

/** A row is a message that somebody is writing, as far as it is written. A send that names the draft deletes it. */
@Entity('drafts')
export class SavedDraftEntity {
  @PrimaryColumn({ name: 'app_id', type: 'text' })
  appId!: string;

  @PrimaryColumn({ name: 'draft_id', type: 'uuid' })
  draftId!: string;

  @Column({ type: 'text' })
  name!: string;

  /** The data of the editor. Only editors read it. */
  @Column({ type: 'jsonb' })
  message!: unknown;

  /** Rises with each save. A save names the revision that it is based on. */
  @Column({ type: 'integer' })
  revision!: number;

  @Column({ name: 'created_at', type: 'timestamptz' })
  createdAt!: Date;

  @Column({ name: 'updated_at', type: 'timestamptz' })
  updatedAt!: Date;

  /** The access token that saved it last. Null: an operator. */
  @Column({ name: 'updated_by', type: 'uuid', nullable: true })
  updatedBy!: string | null;
}
