import { Column, Entity, PrimaryColumn } from 'typeorm';
import type { Scope } from '@postrider/domain';

/** A row of `tokens`. The token itself is never stored: its SHA-256 is. */
@Entity('tokens')
export class TokenEntity {
  @PrimaryColumn({ name: 'app_id', type: 'text' })
  appId!: string;

  @PrimaryColumn({ name: 'token_id', type: 'uuid' })
  tokenId!: string;

  @Column({ type: 'text' })
  name!: string;

  @Column({ type: 'text', array: true })
  scopes!: Scope[];

  @Column({ name: 'token_hash', type: 'bytea', select: false })
  tokenHash!: Buffer;

  @Column({ name: 'created_at', type: 'timestamptz' })
  createdAt!: Date;

  @Column({ name: 'revoked_at', type: 'timestamptz', nullable: true })
  revokedAt!: Date | null;
}
