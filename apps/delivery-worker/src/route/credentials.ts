import { Inject, Injectable } from '@nestjs/common';
import type { CredentialVendor, JsonObject } from '@postrider/domain';
import { openCredentials, type VendorCredentials, VendorCredentialsRepository } from '@postrider/persistence';
import { type Logger, LOGGER, SecretBox } from '@postrider/platform';

/** Changed credentials are noticed within this time. */
const CHECK_EVERY_MS = 2_000;
/**
 * Credentials of a held route are checked sooner: a route that was released must not be held again for an old error.
 */
const CHECK_HELD_EVERY_MS = 100;

/** An application's credentials of one vendor as they are stored now. */
export interface CurrentCredentials<Sender> {
  /** Null: there are none. */
  revision: string | null;
  /** The settings that are stored beside the secrets. */
  settings: JsonObject;
  /** Returns the sender of these credentials, or null if they cannot be used, which is logged. */
  createSender(): Sender | null;
}

/** True if the credentials of a route that were read at `checkedAt` must be read again. Both times by `clock.steadyMs()`. */
export function areCredentialsDue(checkedAt: number, now: number, isHeld: boolean): boolean {
  return now - checkedAt >= (isHeld ? CHECK_HELD_EVERY_MS : CHECK_EVERY_MS);
}

/** Reads stored credentials and makes senders of them, for push services and SMS providers alike. */
@Injectable()
export class Credentials {
  constructor(
    private readonly credentials: VendorCredentialsRepository,
    @Inject(LOGGER) private readonly logger: Logger,
    private readonly secretBox: SecretBox,
  ) {}

  async find<Sender>(
    appId: string,
    vendor: CredentialVendor,
    make: (credentials: JsonObject) => Sender,
  ): Promise<CurrentCredentials<Sender>> {
    const stored = await this.credentials.find(appId, vendor);
    return {
      revision: stored?.revision ?? null,
      settings: stored?.settings ?? {},
      createSender: () => stored && this.#create(appId, stored, make),
    };
  }

  /** Closes a sender that is not used any more. Not awaited: its calls in flight may take their whole deadline. */
  retire(sender: { close(): Promise<void> } | null): void {
    sender?.close().catch((error: unknown) => this.logger.warn({ err: error }, 'sender.close-failed'));
  }

  #create<Sender>(appId: string, stored: VendorCredentials, make: (credentials: JsonObject) => Sender): Sender | null {
    try {
      return make(openCredentials(this.secretBox, appId, stored));
    } catch (error) {
      this.logger.error({ appId, vendor: stored.vendor, err: error }, 'route.credentials-unusable');
      return null;
    }
  }
}
