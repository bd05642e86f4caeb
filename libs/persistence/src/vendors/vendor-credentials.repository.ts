import { Inject, Injectable } from '@nestjs/common';
import type { CredentialVendor, JsonObject } from '@postrider/domain';
import type { SecretBox } from '@postrider/platform';
import { DATABASE, type Database, rows } from '../database/executor';
import { SEAL_CONTEXTS } from '../sealed/seal-contexts';
import { sql } from '../sql';
import { VendorCredentialEntity } from './route-state.entity';

/** The credentials of an application for one vendor. `sealed` opens by `openCredentials`. */
export interface VendorCredentials {
  vendor: CredentialVendor;
  settings: JsonObject;
  sealed: Buffer;
  /** Grows with every change, so that a cache notices that it is out of date. */
  revision: string;
  updatedAt: Date;
}

/**
 * Returns all fields of stored credentials, including the secrets.
 *
 * @throws UnopenedSeal if no key opens them
 */
export function openCredentials(
  secretBox: SecretBox,
  appId: string,
  { vendor, settings, sealed }: VendorCredentials,
): JsonObject {
  return { ...settings, ...secretBox.open<JsonObject>(sealed, SEAL_CONTEXTS.vendorCredentials(appId, vendor)) };
}

/** The credentials of applications for their vendors: settings that may be shown, and sealed secrets. */
@Injectable()
export class VendorCredentialsRepository {
  constructor(@Inject(DATABASE) private readonly database: Database) {}

  /** Replaces an application's credentials for a vendor, under a new revision. */
  async put(
    appId: string,
    credentials: Pick<VendorCredentials, 'vendor' | 'settings' | 'sealed'>,
    at: Date,
  ): Promise<void> {
    await rows(
      this.database,
      sql`INSERT INTO vendor_credentials (app_id, vendor, settings, sealed, updated_at) VALUES (${appId}, ${credentials.vendor},
            ${JSON.stringify(credentials.settings)}, ${credentials.sealed}, ${at})
          ON CONFLICT (app_id, vendor) DO UPDATE SET settings = excluded.settings, sealed = excluded.sealed,
            revision = excluded.revision, updated_at = excluded.updated_at`,
    );
  }

  /** An application's credentials for one vendor, or null. */
  async find(appId: string, vendor: CredentialVendor): Promise<VendorCredentials | null> {
    return this.database.getRepository(VendorCredentialEntity).findOneBy({ appId, vendor });
  }

  /** Lists all credentials of an application, by vendor. */
  async list(appId: string): Promise<VendorCredentials[]> {
    return this.database.getRepository(VendorCredentialEntity).find({ where: { appId }, order: { vendor: 'ASC' } });
  }

  /** Deletes an application's credentials for a vendor. @returns true if there were any */
  async delete(appId: string, vendor: CredentialVendor): Promise<boolean> {
    const result = await this.database.getRepository(VendorCredentialEntity).delete({ appId, vendor });
    return (result.affected ?? 0) > 0;
  }
}
