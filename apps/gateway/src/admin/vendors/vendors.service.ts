import { Inject, Injectable } from '@nestjs/common';
import type { VendorCheckResponse, VendorResponse } from '@postrider/contracts';
import { type Clock, type CredentialVendor, DomainError, type JsonObject } from '@postrider/domain';
import {
  openCredentials,
  SEAL_CONTEXTS,
  type VendorCredentials,
  VendorCredentialsRepository,
} from '@postrider/persistence';
import { CLOCK, SecretBox, unlessUnopened } from '@postrider/platform';
import { RouteRecovery } from '../operations/route-recovery.service';
import { Applications } from '../applications/applications.service';
import { vendorNamed } from '../vendor-in-path';
import { VendorSenders } from './vendor-senders.service';

/** Stores the vendor credentials of applications: settings that may be shown, and sealed secrets. */
@Injectable()
export class Vendors {
  constructor(
    private readonly credentials: VendorCredentialsRepository,
    @Inject(CLOCK) private readonly clock: Clock,
    private readonly secretBox: SecretBox,
    private readonly applications: Applications,
    private readonly recovery: RouteRecovery,
    private readonly senders: VendorSenders,
  ) {}

  /**
   * Replaces the credentials.
   *
   * @param gateway the address at which vendors reach the gateway, without a slash at its end
   * @throws InvalidRequest naming every bad field; DomainError NOT_FOUND; CONFLICT if the application is being
   * removed, or a VAPID pair that is to be kept cannot be decrypted
   */
  async put(appId: string, name: string, body: unknown, gateway: string): Promise<VendorResponse> {
    const vendor = vendorNamed(name);
    await this.applications.checkStays(appId);
    const credentials = await this.#keepMade(appId, vendor, body);
    const { settings, secrets } = this.senders.read(vendor, credentials);
    const sealed = this.secretBox.seal(secrets, SEAL_CONTEXTS.vendorCredentials(appId, vendor));
    await this.credentials.put(appId, { vendor, settings, sealed }, this.clock.now());
    await this.recovery.credentialsChanged(appId, vendor);
    return { ...settings, ...this.senders.statusUrlOf(appId, { ...settings, ...secrets }, gateway), vendor };
  }

  /** @throws DomainError NOT_FOUND */
  async list(appId: string): Promise<VendorResponse[]> {
    await this.applications.check(appId);
    return (await this.credentials.list(appId)).map(({ vendor, settings, updatedAt }) => ({
      ...settings,
      vendor,
      updatedAt: updatedAt.toISOString(),
    }));
  }

  /** @throws DomainError NOT_FOUND */
  async remove(appId: string, name: string): Promise<void> {
    const vendor = vendorNamed(name);
    if (!(await this.credentials.delete(appId, vendor))) throw noCredentials(vendor);
    await this.recovery.credentialsRemoved(appId, vendor);
  }

  /** Asks the vendor if the stored credentials work. @throws DomainError NOT_FOUND */
  async check(appId: string, name: string): Promise<VendorCheckResponse> {
    const vendor = vendorNamed(name);
    const stored = await this.credentials.find(appId, vendor);
    if (!stored) throw noCredentials(vendor);
    const opened = this.#open(appId, stored);
    if (opened === null) return { ok: false, code: 'no_sender', reason: UNREADABLE };
    const sender = this.senders.open(vendor, opened);
    try {
      return await sender.check();
    } finally {
      await sender.close();
    }
  }

  /**
   * Keeps generated values that others already use: every browser subscribed under the VAPID pair, and an SMS provider
   * knows the address for its reports. A request that leaves them out keeps them. If they cannot be read, the address is
   * made anew, and a VAPID pair only if the request says so.
   *
   * @throws DomainError CONFLICT
   */
  async #keepMade(appId: string, vendor: CredentialVendor, body: unknown): Promise<unknown> {
    const made = MADE[vendor] ?? [];
    if (typeof body !== 'object' || body === null || made.length === 0) return body;
    if (made.some((field) => field in body)) return body;
    const opened = await this.#findOpened(appId, vendor);
    if (opened === null) return body;
    if ('provider' in body && body.provider !== opened.provider) return body;
    const kept = made.filter((field) => opened[field] !== undefined).map((field) => [field, opened[field]]);
    return { ...body, ...(Object.fromEntries(kept) as JsonObject) };
  }

  /** @throws DomainError CONFLICT if there is a VAPID pair that cannot be read */
  async #findOpened(appId: string, vendor: CredentialVendor): Promise<JsonObject | null> {
    const stored = await this.credentials.find(appId, vendor);
    const opened = stored && this.#open(appId, stored);
    if (stored && opened === null && vendor === 'webpush') throw new DomainError('CONFLICT', UNREADABLE_PAIR);
    return opened;
  }

  /** Null if the stored credentials were encrypted with a key that this process does not have. */
  #open(appId: string, stored: VendorCredentials): JsonObject | null {
    return unlessUnopened(() => openCredentials(this.secretBox, appId, stored));
  }
}

const UNREADABLE = 'The stored credentials cannot be decrypted: they were encrypted with another SECRET_KEY';
const UNREADABLE_PAIR =
  'The stored VAPID pair cannot be decrypted: it was encrypted with another SECRET_KEY. Put that key back, or send publicKey and ' +
  'privateKey (null for both makes another pair, with which all browsers have to subscribe again)';

/** Fields that are generated if they are left out. */
const MADE: Partial<Record<CredentialVendor, readonly string[]>> = {
  webpush: ['publicKey', 'privateKey'],
  sms: ['statusSecret'],
};

function noCredentials(vendor: CredentialVendor): DomainError {
  return new DomainError('NOT_FOUND', `The application has no credentials for ${vendor}`);
}
