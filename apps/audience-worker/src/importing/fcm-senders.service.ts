import { Inject, Injectable, type OnApplicationShutdown, type OnModuleInit } from '@nestjs/common';
import { type Clock, MINUTE_MS } from '@postrider/domain';
import { openCredentials, type VendorCredentials, VendorCredentialsRepository } from '@postrider/persistence';
import { CLOCK, CONFIG, type Config, LOGGER, type Logger, SecretBox } from '@postrider/platform';
import { createSender, type Sender } from '@postrider/vendors';
import { LONGEST_VALIDATION_MS } from './validate-tokens';

/** A sender that was not asked for for this long is closed. An import asks for it once for each stretch of its file. */
const IDLE_AFTER_MS = 2 * LONGEST_VALIDATION_MS;
const LOOK_FOR_IDLE_EVERY_MS = MINUTE_MS;
/** No caller waits for an answer: one connection is enough. */
const CONNECTIONS = 1;
const DEADLINE_MS = 10_000;

interface KnownSender {
  revision: string;
  sender: Sender | null;
  usedAt: number;
}

/**
 * Senders with the FCM credentials of applications, which only ask about tokens. They are kept while they are in use.
 */
@Injectable()
export class FcmSenders implements OnModuleInit, OnApplicationShutdown {
  readonly #known = new Map<string, KnownSender>();
  #idleTimer: NodeJS.Timeout | undefined;

  constructor(
    private readonly credentials: VendorCredentialsRepository,
    private readonly secretBox: SecretBox,
    @Inject(CONFIG) private readonly config: Config,
    @Inject(CLOCK) private readonly clock: Clock,
    @Inject(LOGGER) private readonly logger: Logger,
  ) {}

  /** Returns the sender for the present credentials; null if there are none, or none that can be used. */
  async find(appId: string): Promise<Sender | null> {
    const stored = await this.credentials.find(appId, 'fcm');
    const known = this.#known.get(appId);
    if (stored !== null && known?.revision === stored.revision) {
      known.usedAt = performance.now();
      return known.sender;
    }
    this.#retire(appId);
    if (stored === null) return null;
    const sender = this.#create(appId, stored);
    this.#known.set(appId, { revision: stored.revision, sender, usedAt: performance.now() });
    return sender;
  }

  onModuleInit(): void {
    this.#idleTimer = setInterval(() => {
      const idleSince = performance.now() - IDLE_AFTER_MS;
      for (const [appId, { usedAt }] of this.#known) if (usedAt < idleSince) this.#retire(appId);
    }, LOOK_FOR_IDLE_EVERY_MS).unref();
  }

  async onApplicationShutdown(): Promise<void> {
    clearInterval(this.#idleTimer);
    await Promise.all([...this.#known.values()].map(async ({ sender }) => sender?.close()));
  }

  #create(appId: string, stored: VendorCredentials): Sender | null {
    const { allowPrivateEndpoints, proxy, http2Client } = this.config;
    const options = { clock: this.clock, allowPrivateEndpoints, proxy, http2Client, logger: this.logger };
    try {
      const credentials = openCredentials(this.secretBox, appId, stored);
      return createSender('fcm', credentials, { ...options, maxSessions: CONNECTIONS, deadlineMs: DEADLINE_MS });
    } catch (error) {
      this.logger.error({ appId, vendor: 'fcm', err: error }, 'import.credentials-unusable');
      return null;
    }
  }

  #retire(appId: string): void {
    const known = this.#known.get(appId);
    this.#known.delete(appId);
    known?.sender?.close().catch((error: unknown) => this.logger.warn({ err: error }, 'sender.close-failed'));
  }
}
