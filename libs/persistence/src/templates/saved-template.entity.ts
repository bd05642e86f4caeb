import { Column, Entity, PrimaryColumn } from 'typeorm';

/** A row is a template: content of messages that is saved under a name. A message that names it gets a copy. */
@Entity('templates')
export class SavedTemplateEntity {
  @PrimaryColumn({ name: 'app_id', type: 'text' })
  appId!: string;

  @PrimaryColumn({ name: 'template_id', type: 'uuid' })
  templateId!: string;

  @Column({ type: 'text' })
  name!: string;

  @Column({ type: 'text', nullable: true })
  description!: string | null;

  /** The newest one. */
  @Column({ type: 'integer' })
  version!: number;

  @Column({ name: 'created_at', type: 'timestamptz' })
  createdAt!: Date;
}

/** A row is the content that a template had at one version. */
@Entity('template_versions')
export class TemplateVersionEntity {
  @PrimaryColumn({ name: 'app_id', type: 'text' })
  appId!: string;

  @PrimaryColumn({ name: 'template_id', type: 'uuid' })
  templateId!: string;

  @PrimaryColumn({ type: 'integer' })
  version!: number;

  /** As a send writes it, validated. */
  @Column({ type: 'jsonb' })
  message!: unknown;

  /** The variables that it expects: `[{ name, required, default?, description? }]`. */
  @Column({ type: 'jsonb' })
  variables!: unknown;

  @Column({ name: 'created_at', type: 'timestamptz' })
  createdAt!: Date;

  /** The access token that made it. Null: an operator. */
  @Column({ name: 'created_by', type: 'uuid', nullable: true })
  createdBy!: string | null;
}
