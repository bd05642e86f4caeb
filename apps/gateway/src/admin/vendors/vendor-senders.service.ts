import { Inject, Injectable } from '@nestjs/common';
import type { Clock, CredentialVendor, JsonObject } from '@postrider/domain';
import { CLOCK, CONFIG, type Config } from '@postrider/platform';
import { SharedTokens } from '@postrider/queues';
import { createSender, createSmsSender, type Sender, type SmsSender, type StoredCredentials } from '@postrider/vendors';
import { readCredentials } from './read-credentials';

/** Reads vendor credentials, and makes senders of them, as the settings of the process allow. */
@Injectable()
export class VendorSenders {
  constructor(
    @Inject(CONFIG) private readonly config: Config,
    @Inject(CLOCK) private readonly clock: Clock,
    private readonly providerTokens: SharedTokens,
  ) {}

  /** @throws InvalidRequest naming every bad field */
  read(vendor: CredentialVendor, body: unknown): StoredCredentials {
    return readCredentials(vendor, body, this.config);
  }

  /** A sender that asks the vendor whether the credentials work; to be closed. */
  open(vendor: CredentialVendor, credentials: JsonObject): Pick<Sender | SmsSender, 'check' | 'close'> {
    const { clock, providerTokens } = this;
    const { allowPrivateEndpoints, allowPrivatePushServices, proxy, http2Client } = this.config;
    if (vendor === 'sms') return createSmsSender(credentials, { clock, allowPrivateEndpoints, proxy });
    const options = { clock, allowPrivateEndpoints, allowPrivatePushServices, proxy, http2Client, providerTokens };
    return createSender(vendor, credentials, options);
  }

  /** Where a provider that signs nothing reports to: to be entered there, so it is told to whoever stores the credentials. */
  statusUrlOf(appId: string, { provider, statusSecret }: JsonObject): { statusUrl?: string } {
    if (typeof provider !== 'string' || typeof statusSecret !== 'string') return {};
    const base = (this.config.publicUrl ?? '').replace(/\/+$/, '');
    return { statusUrl: `${base}/api/sms/status/${provider}/${appId}/${statusSecret}` };
  }
}
