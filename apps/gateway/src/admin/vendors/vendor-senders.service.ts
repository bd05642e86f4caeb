import { Inject, Injectable } from '@nestjs/common';
import type { Clock, CredentialVendor, JsonObject } from '@postrider/domain';
import { CLOCK, CONFIG, type Config } from '@postrider/platform';
import { SharedTokens } from '@postrider/queues';
import { createSender, createSmsSender, type Sender, type SmsSender, type StoredCredentials } from '@postrider/vendors';
import { readCredentials } from './read-credentials';

/** Reads vendor credentials, and makes senders for them, by the settings of the process. */
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

  /** A sender that can ask the vendor if the credentials work. The caller closes it. */
  open(vendor: CredentialVendor, credentials: JsonObject): Pick<Sender | SmsSender, 'check' | 'close'> {
    const { clock, providerTokens } = this;
    const { allowPrivateEndpoints, allowPrivatePushServices, proxy, http2Client } = this.config;
    if (vendor === 'sms') return createSmsSender(credentials, { clock, allowPrivateEndpoints, proxy });
    const options = { clock, allowPrivateEndpoints, allowPrivatePushServices, proxy, http2Client, providerTokens };
    return createSender(vendor, credentials, options);
  }

  /**
   * The address to which a provider without signatures reports. The caller who stores the credentials gets it and
   * enters it at the provider.
   *
   * @param gateway the address at which the provider reaches the gateway, without a slash at its end
   */
  statusUrlOf(appId: string, { provider, statusSecret }: JsonObject, gateway: string): { statusUrl?: string } {
    if (typeof provider !== 'string' || typeof statusSecret !== 'string') return {};
    return { statusUrl: `${gateway}/api/sms/status/${provider}/${appId}/${statusSecret}` };
  }
}
