import { Inject, Injectable } from '@nestjs/common';
import { type Clock, tokenIdentity } from '@postrider/domain';
import {
  orAlone,
  type RegisteredInstallation,
  RegistrationsRepository,
  type SentRegistration,
} from '@postrider/persistence';
import { Batcher, CLOCK, LOGGER, type Logger } from '@postrider/platform';

/**
 * One batch at a time for an application: a statement costs more than a registration in it, so fewer and larger ones leave
 * more time for requests.
 */
const BATCHES_AT_ONCE = 1;
const MAX_REGISTRATIONS = 100;

/**
 * Registers devices of several requests in one statement and one commit. Registrations of the same device run one after
 * the other.
 */
@Injectable()
export class RegistrationBatches {
  /** By application. */
  readonly #batchers = new Map<string, Batcher<SentRegistration, RegisteredInstallation | null>>();

  constructor(
    private readonly registrations: RegistrationsRepository,
    @Inject(CLOCK) private readonly clock: Clock,
    @Inject(LOGGER) private readonly logger: Logger,
  ) {}

  /**
   * @returns null if nothing was done, because this registration cannot be batched: the device gets another owner, its
   * token belongs to another installation, its id is unknown, or another transaction has locked it
   */
  register(appId: string, registration: SentRegistration): Promise<RegisteredInstallation | null> {
    let batcher = this.#batchers.get(appId);
    if (!batcher) this.#batchers.set(appId, (batcher = this.#createBatcher(appId)));
    return batcher.add(registration);
  }

  #createBatcher(appId: string): Batcher<SentRegistration, RegisteredInstallation | null> {
    const work = async (items: SentRegistration[]): Promise<(RegisteredInstallation | null)[]> => {
      const registered = await this.registrations.registerBatch({
        appId,
        registrations: firstOfEachToken(items),
        at: this.clock.now(),
      });
      return items.map(({ installationId }) => registered.get(installationId) ?? null);
    };
    return new Batcher({
      work: orAlone('registrations', work, this.logger),
      maxItems: MAX_REGISTRATIONS,
      concurrency: BATCHES_AT_ONCE,
      perKey: {
        keyOf: ({ installationId, isNamed, sent }) => (isNamed ? null : identityOf(sent)) ?? installationId,
        maxItems: 1,
      },
    });
  }
}

/** Only the first of several registrations that claim one token for different installations. */
function firstOfEachToken(registrations: readonly SentRegistration[]): SentRegistration[] {
  const tokens = new Set<string>();
  return registrations.filter(({ sent }) => {
    const token = identityOf(sent);
    if (token === null) return true;
    const isFirst = !tokens.has(token);
    tokens.add(token);
    return isFirst;
  });
}

/** The identity of the vendor token of a registration. Null: it has none. */
function identityOf({ pushType, token }: SentRegistration['sent']): string | null {
  return token === null || pushType === null ? null : tokenIdentity({ pushType, token });
}
