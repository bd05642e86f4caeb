import { Inject, Injectable } from '@nestjs/common';
import type { Clock } from '@postrider/domain';
import { type RegisteredInstallation, RegistrationsRepository, type SentRegistration } from '@postrider/persistence';
import { CLOCK, LOGGER, type Logger } from '@postrider/platform';
import { Rounds } from '../../together/rounds';

/** While two are with PostgreSQL, one always has its turn on the processor. */
const ROUNDS_AT_ONCE = 2;
const REGISTRATIONS_AT_ONCE = 100;

/**
 * Registers devices of different requests in common statements, one commit for all of a round. Of one device, registrations
 * follow one another.
 */
@Injectable()
export class RegisterTogether {
  readonly #rounds = new Map<string, Rounds<SentRegistration, RegisteredInstallation>>();

  constructor(
    private readonly registrations: RegistrationsRepository,
    @Inject(CLOCK) private readonly clock: Clock,
    @Inject(LOGGER) private readonly logger: Logger,
  ) {}

  /**
   * @returns null when nothing was done, because this registration cannot be shared: the device changes hands, its token is
   *   another installation's, its id is unknown, or somebody else is at it
   */
  register(appId: string, registration: SentRegistration): Promise<RegisteredInstallation | null> {
    let rounds = this.#rounds.get(appId);
    if (!rounds) this.#rounds.set(appId, (rounds = this.#roundsOf(appId)));
    return rounds.give(registration);
  }

  #roundsOf(appId: string): Rounds<SentRegistration, RegisteredInstallation> {
    return new Rounds(
      {
        name: 'registrations',
        roundsAtOnce: ROUNDS_AT_ONCE,
        mostAsks: REGISTRATIONS_AT_ONCE,
        keyOf: ({ installationId, isNamed, sent }) => (isNamed ? null : tokenOf(sent)) ?? installationId,
        mostOfKey: 1,
        work: async (asked) => {
          const registered = await this.registrations.registerTogether({
            appId,
            registrations: withoutRivals(asked),
            at: this.clock.now(),
          });
          return asked.map(({ installationId }) => registered.get(installationId) ?? null);
        },
      },
      this.logger,
    );
  }
}

/** Of registrations that claim one token for different installations, the first alone. */
function withoutRivals(registrations: readonly SentRegistration[]): SentRegistration[] {
  const tokens = new Set<string>();
  return registrations.filter(({ sent }) => {
    const token = tokenOf(sent);
    if (token === null) return true;
    const isFirst = !tokens.has(token);
    tokens.add(token);
    return isFirst;
  });
}

/** What makes two vendor tokens the same: a Web Push subscription (JSON) is, while its endpoint is. */
function tokenOf({ pushType, token }: SentRegistration['sent']): string | null {
  if (token === null || pushType === null) return null;
  const endpoint = pushType === 'webpush' ? /"endpoint":"([^"]*)"/.exec(token)?.[1] : undefined;
  return `${pushType} ${endpoint ?? token}`;
}
