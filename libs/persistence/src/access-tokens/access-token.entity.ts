import { Column, Entity, PrimaryColumn } from 'typeorm';
import type { Scope } from '@postrider/domain';

/** A row is an access token of an application: what a backend, an app or the panel shows to be let in. Its SHA-256 is stored, never the token. */
@Entity('tokens')
export class AccessTokenEntity {
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
