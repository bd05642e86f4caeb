import { Inject, Injectable } from '@nestjs/common';
import type { VendorCheckResponse, VendorResponse } from '@postrider/contracts';
import { type Clock, DomainError, type JsonObject, PUSH_VENDORS, type PushVendor } from '@postrider/domain';
import {
  type Database,
  DATABASE,
  deleteVendorCredentials,
  findVendorCredentials,
  listVendorCredentials,
  putVendorCredentials,
  type VendorCredentials,
} from '@postrider/persistence';
import { CLOCK, CONFIG, type Config, SecretBox } from '@postrider/platform';
import { createSender, parseCredentials } from '@postrider/vendors';
import { Applications } from './applications.service';

/** Keeps the vendor credentials of applications: settings to show, secrets sealed. */
@Injectable()
export class Vendors {
  constructor(
    @Inject(DATABASE) private readonly database: Database,
    @Inject(CLOCK) private readonly clock: Clock,
    @Inject(CONFIG) private readonly config: Config,
    private readonly secretBox: SecretBox,
    private readonly applications: Applications,
  ) {}

  /**
   * Stores credentials in place of the former ones.
   *
   * @throws InvalidRequest naming every bad field; DomainError NOT_FOUND
   */
  async put(appId: string, name: string, body: unknown): Promise<VendorResponse> {
    const vendor = vendorNamed(name);
    await this.applications.find(appId);
    const { allowPrivateEndpoints } = this.config;
    const credentials = vendor === 'webpush' ? await this.#keepPair(appId, body) : body;
    const { settings, secrets } = parseCredentials(vendor, credentials, { allowPrivateEndpoints });
    const sealed = this.secretBox.seal(secrets, contextOf(appId, vendor));
    await putVendorCredentials(this.database, appId, { vendor, settings, sealed }, this.clock.now());
    return { ...settings, vendor };
  }

  /** @throws DomainError NOT_FOUND */
  async list(appId: string): Promise<VendorResponse[]> {
    await this.applications.find(appId);
    return (await listVendorCredentials(this.database, appId)).map(({ vendor, settings, updatedAt }) => ({
      ...settings,
      vendor,
      updatedAt: updatedAt.toISOString(),
    }));
  }

  /** @throws DomainError NOT_FOUND */
  async remove(appId: string, name: string): Promise<void> {
    const vendor = vendorNamed(name);
    if (!(await deleteVendorCredentials(this.database, appId, vendor))) throw noCredentials(vendor);
  }

  /** Asks the vendor whether the stored credentials work. @throws DomainError NOT_FOUND */
  async check(appId: string, name: string): Promise<VendorCheckResponse> {
    const vendor = vendorNamed(name);
    const stored = await findVendorCredentials(this.database, appId, vendor);
    if (!stored) throw noCredentials(vendor);
    const { clock } = this;
    const { allowPrivateEndpoints } = this.config;
    const sender = createSender(vendor, this.#open(appId, vendor, stored), { clock, allowPrivateEndpoints });
    try {
      return await sender.check();
    } finally {
      await sender.close();
    }
  }

  /** Every browser subscribed under the pair that is stored: who sends none keeps it. */
  async #keepPair(appId: string, body: unknown): Promise<unknown> {
    if (typeof body !== 'object' || body === null || 'publicKey' in body || 'privateKey' in body) return body;
    const stored = await findVendorCredentials(this.database, appId, 'webpush');
    if (!stored) return body;
    const { publicKey, privateKey } = this.#open(appId, 'webpush', stored);
    return { ...body, publicKey, privateKey };
  }

  #open(appId: string, vendor: PushVendor, { settings, sealed }: VendorCredentials): JsonObject {
    return { ...settings, ...this.secretBox.open<JsonObject>(sealed, contextOf(appId, vendor)) };
  }
}

function contextOf(appId: string, vendor: PushVendor): string {
  return `vendor:${appId}:${vendor}`;
}

function vendorNamed(name: string): PushVendor {
  const vendor = PUSH_VENDORS.find((known) => known === name);
  if (!vendor) throw new DomainError('NOT_FOUND', `There is no such vendor; known are ${PUSH_VENDORS.join(', ')}`);
  return vendor;
}

function noCredentials(vendor: PushVendor): DomainError {
  return new DomainError('NOT_FOUND', `The application has no credentials for ${vendor}`);
}
