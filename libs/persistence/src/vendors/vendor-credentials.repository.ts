import type { CredentialVendor, JsonObject } from '@postrider/domain';
import { type Executor, rows } from '../database/executor';
import { VendorCredentialEntity } from './vendor-credential.entity';

/** What an application stored for one vendor. `sealed` opens under the context `vendor:<appId>:<vendor>`. */
export interface VendorCredentials {
  vendor: CredentialVendor;
  settings: JsonObject;
  sealed: Buffer;
  /** Grows with every change: tells a cache that it is out of date. */
  revision: string;
  updatedAt: Date;
}

/** Stores an application's credentials for a vendor in place of the former ones, under a new revision. */
export async function putVendorCredentials(
  executor: Executor,
  appId: string,
  credentials: Pick<VendorCredentials, 'vendor' | 'settings' | 'sealed'>,
  at: Date,
): Promise<void> {
  await rows(
    executor,
    `INSERT INTO vendor_credentials (app_id, vendor, settings, sealed, updated_at) VALUES ($1, $2, $3, $4, $5)
     ON CONFLICT (app_id, vendor) DO UPDATE SET settings = excluded.settings, sealed = excluded.sealed,
       revision = excluded.revision, updated_at = excluded.updated_at`,
    [appId, credentials.vendor, JSON.stringify(credentials.settings), credentials.sealed, at],
  );
}

/** An application's credentials for one vendor, or null. */
export async function findVendorCredentials(
  executor: Executor,
  appId: string,
  vendor: CredentialVendor,
): Promise<VendorCredentials | null> {
  return executor.getRepository(VendorCredentialEntity).findOneBy({ appId, vendor });
}

/** Everything an application stored credentials for, by vendor. */
export async function listVendorCredentials(executor: Executor, appId: string): Promise<VendorCredentials[]> {
  return executor.getRepository(VendorCredentialEntity).find({ where: { appId }, order: { vendor: 'ASC' } });
}

/** Forgets an application's credentials for a vendor. @returns whether there were any */
export async function deleteVendorCredentials(
  executor: Executor,
  appId: string,
  vendor: CredentialVendor,
): Promise<boolean> {
  const result = await executor.getRepository(VendorCredentialEntity).delete({ appId, vendor });
  return (result.affected ?? 0) > 0;
}

/** Forgets all of an application's credentials. */
export async function deleteAllVendorCredentials(executor: Executor, appId: string): Promise<void> {
  await executor.getRepository(VendorCredentialEntity).delete({ appId });
}
