import { Column, Entity, PrimaryColumn } from 'typeorm';
import type { CredentialVendor, JsonObject } from '@postrider/domain';

/** A row of `vendor_credentials`: `settings` may be shown, `sealed` holds the secrets. */
@Entity('vendor_credentials')
export class VendorCredentialEntity {
  @PrimaryColumn({ name: 'app_id', type: 'text' })
  appId!: string;

  @PrimaryColumn({ type: 'text' })
  vendor!: CredentialVendor;

  @Column({ type: 'jsonb' })
  settings!: JsonObject;

  @Column({ type: 'bytea' })
  sealed!: Buffer;

  @Column({ type: 'bigint' })
  revision!: string;

  @Column({ name: 'updated_at', type: 'timestamptz' })
  updatedAt!: Date;
}
