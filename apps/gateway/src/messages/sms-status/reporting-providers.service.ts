import { createHash, timingSafeEqual } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import { DomainError, type JsonObject } from '@postrider/domain';
import { openCredentials, VendorCredentialsRepository } from '@postrider/persistence';
import { SecretBox } from '@postrider/platform';
import { isTwilioSigned } from '@postrider/vendors';

/** A request that claims to be Twilio's. */
interface SignedReport {
  signature: string | undefined;
  /** The whole address that Twilio was given. */
  url: string;
  form: Readonly<Record<string, string>>;
}

/**
 * Verifies that a report comes from an application's SMS provider. A refused report gets the same answer, whatever was
 * wrong.
 */
@Injectable()
export class ReportingProviders {
  constructor(
    private readonly credentials: VendorCredentialsRepository,
    private readonly secretBox: SecretBox,
  ) {}

  /** @throws DomainError FORBIDDEN unless the application's Twilio account signed the report */
  async checkTwilio(appId: string, { signature, url, form }: SignedReport): Promise<void> {
    const { provider, authToken } = await this.#credentialsOf(appId);
    const isGenuine =
      provider === 'twilio' &&
      typeof authToken === 'string' &&
      signature !== undefined &&
      isTwilioSigned({ signature, url, form }, authToken);
    if (!isGenuine) throw refused();
  }

  /** @throws DomainError FORBIDDEN unless `secret` is the one for this provider's reports */
  async checkSecret(appId: string, provider: string, secret: string): Promise<void> {
    const stored = await this.#credentialsOf(appId);
    const isGenuine =
      stored.provider === provider && typeof stored.statusSecret === 'string' && isSame(stored.statusSecret, secret);
    if (!isGenuine) throw refused();
  }

  async #credentialsOf(appId: string): Promise<JsonObject> {
    const stored = await this.credentials.find(appId, 'sms');
    if (!stored) throw refused();
    return openCredentials(this.secretBox, appId, stored);
  }
}

function refused(): DomainError {
  return new DomainError('FORBIDDEN', "The report does not prove that it is the provider's");
}

/** Compares in constant time, whatever the lengths. */
function isSame(one: string, other: string): boolean {
  const digest = (text: string): Buffer => createHash('sha256').update(text).digest();
  return timingSafeEqual(digest(one), digest(other));
}
