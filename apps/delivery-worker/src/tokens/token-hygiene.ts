import type { BeforeApplicationShutdown, OnModuleInit } from '@nestjs/common';
import type { Clock, PushVendor } from '@postrider/domain';
import {
  type Database,
  type DeadToken,
  type DeadTokensRepository,
  inTransaction,
  OutageWarning,
  type VendorKey,
} from '@postrider/persistence';
import { Batcher, type Config, type Logger } from '@postrider/platform';
import type { Route } from '../route/route';
import { isAmbiguous } from '../route/refusal-classifier';
import { countTokenAnswers } from './count-token-answers';
import { TokenAnswerLog } from './token-answers';

const TICK_MS = 1_000;
/** Answers that call no token dead are counted after this time, for many pages together. */
const GATHER_MS = 30_000;
/** This many of them are counted at once, without waiting. */
const GATHERED_MOST = 50_000;

/** A page whose vendor has answered. */
interface AnsweredPage {
  readonly route: Route;
  /** The revision of the credentials under which it was sent. */
  readonly revision: string | null;
  readonly tokenAnswers: TokenAnswerLog;
}

/** Is told what vendors say about tokens. */
export interface TokenObserver {
  /**
   * @param isQuarantined true if the tokens stay on until the operator decides; otherwise they are switched off after a
   * while
   */
  tokensCalledDead(vendor: PushVendor, count: number, isQuarantined: boolean): void;
  /** Tokens were called dead once, and the vendor has accepted them since. */
  tokensTakenBack(vendor: PushVendor, count: number): void;
}

interface Gathered {
  route: Route;
  log: TokenAnswerLog;
  since: number;
  batches: Batcher<TokenAnswerLog>;
}

/**
 * Counts the vendors' answers about tokens, for all workers together, and notes the dead ones. They are switched off
 * later (`SwitchOffDeadTokens` in libs/maintenance), so that a quarantine may begin before.
 */
export class TokenHygiene implements OnModuleInit, BeforeApplicationShutdown {
  readonly #gathered = new Map<string, Gathered>();
  readonly #notCounted: OutageWarning;
  #timer: NodeJS.Timeout | undefined;

  constructor(
    private readonly database: Database,
    private readonly deadTokens: DeadTokensRepository,
    private readonly clock: Clock,
    private readonly config: Pick<Config, 'deadTokenDelaySeconds'>,
    private readonly logger: Logger,
    private readonly observer: TokenObserver,
  ) {
    this.#notCounted = new OutageWarning(logger, 'tokens.not-counted');
  }

  /**
   * Takes the answers of a page that ended; dead tokens are noted when this resolves. Never rejects: a token that stays
   * on is called dead again with its next message.
   */
  async pageEnded({ route, revision, tokenAnswers }: AnsweredPage): Promise<void> {
    // Answers that were given under other credentials do not count.
    if (tokenAnswers.isEmpty || revision !== route.revision) return;
    const gathered = this.#of(route);
    gathered.log.append(tokenAnswers, (token) => isDoubtful(token, route, this.clock.now()));
    if (gathered.log.dead > 0) await this.#count(gathered);
  }

  /** Counts the answers that were gathered long enough, or all of them if `isAll`. */
  async flush(isAll: boolean): Promise<void> {
    const before = this.clock.now().getTime() - GATHER_MS;
    const due = [...this.#gathered.values()].filter(
      ({ route, log, since }) =>
        !log.isEmpty &&
        (isAll || since <= before || log.accepted.length >= GATHERED_MOST || areKnownDead(route) || log.dead > 0),
    );
    await Promise.all(due.map((gathered) => this.#count(gathered)));
  }

  onModuleInit(): void {
    this.#timer = setInterval(() => void this.flush(false), TICK_MS).unref();
  }

  /** Runs before the module is destroyed, because the database is closed then. */
  async beforeApplicationShutdown(): Promise<void> {
    clearInterval(this.#timer);
    await this.flush(true);
  }

  #of(route: Route): Gathered {
    const name = `${route.vendor} ${route.appId}`;
    let gathered = this.#gathered.get(name);
    if (gathered?.route !== route) {
      const batches = new Batcher<TokenAnswerLog>({ work: (logs) => this.#write(route, logs) });
      gathered = { route, log: new TokenAnswerLog(), since: this.clock.now().getTime(), batches };
      this.#gathered.set(name, gathered);
    }
    return gathered;
  }

  async #count(gathered: Gathered): Promise<void> {
    const { log, route } = gathered;
    gathered.log = new TokenAnswerLog();
    gathered.since = this.clock.now().getTime();
    try {
      await gathered.batches.add(log);
    } catch (error) {
      const { appId, vendor } = route;
      this.#notCounted.log(error, { appId, vendor, dead: log.dead });
    }
  }

  async #write(route: Route, logs: TokenAnswerLog[]): Promise<void> {
    const key: VendorKey = { appId: route.appId, vendor: route.vendor };
    const log = new TokenAnswerLog();
    for (const one of logs) log.append(one, () => false);
    const now = this.clock.now();
    const dueAt = new Date(now.getTime() + this.config.deadTokenDelaySeconds * 1_000);
    const counted = await inTransaction(this.database, (executor) =>
      countTokenAnswers({ executor, deadTokens: this.deadTokens }, key, log, {
        now,
        dueAt,
        areKnownDead: areKnownDead(route),
      }),
    );
    if (counted !== null) {
      const { noted, takenBack, begun, isQuarantined } = counted;
      this.observer.tokensCalledDead(route.vendor, noted, isQuarantined);
      this.observer.tokensTakenBack(route.vendor, takenBack);
      if (begun !== null) this.logger.error({ ...key, ...begun }, 'tokens.quarantined');
      else if (noted > 0) this.logger.info({ ...key, noted, isQuarantined, dueAt }, 'tokens.called-dead');
    }
  }
}

function areKnownDead({ trouble }: Route): boolean {
  return trouble?.hasDeadTokens ?? false;
}

/**
 * True if the credentials, which have not worked for any device, are as likely to be wrong as the token. Such a token
 * is not noted: it is called dead again with its next message, when the credentials may have proved good.
 */
function isDoubtful({ code }: DeadToken, { breaker, trouble }: Route, now: Date): boolean {
  const isTrusted = (trouble?.trustedUntil?.getTime() ?? 0) > now.getTime();
  return !isTrusted && code !== undefined && isAmbiguous(code) && !breaker.hasWorked;
}
