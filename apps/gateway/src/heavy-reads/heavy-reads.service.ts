import { setTimeout as pause } from 'node:timers/promises';
import { createParamDecorator, type ExecutionContext, Inject, Injectable } from '@nestjs/common';
import type { FastifyReply } from 'fastify';
import { DomainError, SECOND_MS, withJitter } from '@postrider/domain';
import {
  type Executor,
  HEAVY_DATABASE,
  type HeavyDatabase,
  type HeavyRead,
  HeavyReadsRepository,
  inTransaction,
  QUERY_CANCELLED,
  sqlState,
} from '@postrider/persistence';
import { withTimeLimit } from '@postrider/platform';
import type { AuthenticatedRequest } from '../auth/caller';
import { HEAVY_READS_OF_ONE, HeavyTurns } from './heavy-turns';

/** The caller of a heavy read. */
export interface HeavyCaller {
  readonly appId: string;
  /** Aborted when nobody waits for the answer any more. */
  readonly gone: AbortSignal;
}

/**
 * One error for all: making one with its stack for each request that ends early would be a cost that strangers could
 * cause.
 */
const HUNG_UP = new DOMException('The caller has closed the connection', 'AbortError');

/** The caller of an authorized request. */
export function heavyCallerOf(request: AuthenticatedRequest, reply: FastifyReply): HeavyCaller {
  return new RequestCaller(request.caller.appId, reply);
}

/** Makes its signal on demand: a send to named users reads nothing heavy. */
class RequestCaller implements HeavyCaller {
  #gone: AbortSignal | undefined;

  constructor(
    readonly appId: string,
    private readonly reply: FastifyReply,
  ) {}

  get gone(): AbortSignal {
    return (this.#gone ??= signalOf(this.reply));
  }
}

function signalOf({ raw }: FastifyReply): AbortSignal {
  const gone = new AbortController();
  // After a complete answer there are no more listeners, and an abort costs every request some microseconds.
  const closed = (): void => {
    if (!raw.writableFinished) gone.abort(HUNG_UP);
  };
  if (raw.closed) closed();
  else raw.once('close', closed);
  return gone.signal;
}

/** The `HeavyCaller` of the request, as a controller method's parameter. */
export const CurrentHeavyCaller = createParamDecorator((_: unknown, context: ExecutionContext): HeavyCaller => {
  const http = context.switchToHttp();
  return heavyCallerOf(http.getRequest<AuthenticatedRequest>(), http.getResponse<FastifyReply>());
});

/** The time limit of a dry run, a count or a preview. */
export const LOOK_LIMIT_MS = 5_000;
/** The time limit of the count of a send. */
export const SEND_LIMIT_MS = 30_000;

/** How long a read waits for its turn, and after how long a caller may retry. */
const PATIENCE_MS = 2_000;
const RETRY_AFTER_SECONDS = 5;
/**
 * How long a read waits for reads of other applications, while none of its own application runs: a dry run or a count ends
 * before.
 */
const OTHERS_PATIENCE_MS = LOOK_LIMIT_MS + SECOND_MS;

/** How long a later slice of a file waits for its turn: the caller already has a part of the file. */
export const EXPORT_PATIENCE_MS = 120_000;

/** The pause between two tries if the application's places are taken at other gateways. */
const LOOK_AGAIN_MS = 50;
const CANCEL_AGAIN_MS = 50;

/** The time limit of a heavy read, and of the wait for its turn (default: two seconds). */
interface HeavyLimits {
  limitMs: number;
  patienceMs?: number;
}

/**
 * Runs reads of many devices (counts, dry runs, explanations, exports) on connections of their own, at most two of an
 * application at a time among all gateways, each with a time limit.
 */
@Injectable()
export class HeavyReads {
  readonly #turns: HeavyTurns;

  constructor(
    @Inject(HEAVY_DATABASE) private readonly heavy: HeavyDatabase,
    private readonly reads: HeavyReadsRepository,
  ) {
    this.#turns = new HeavyTurns(heavy.size);
  }

  /**
   * Runs `read` in a transaction of its own when it is the application's turn. From then on the read has `limitMs` in
   * total. PostgreSQL's work is cancelled after that, and when the caller closes the connection.
   *
   * @throws DomainError RATE_LIMITED if no turn came in time; AUDIENCE_TOO_COSTLY if it took longer
   */
  async run<T>(
    { appId, gone }: HeavyCaller,
    { limitMs, patienceMs = PATIENCE_MS }: HeavyLimits,
    read: (executor: Executor) => Promise<T>,
  ): Promise<T> {
    const patience = withTimeLimit(gone, patienceMs);
    const longest = withTimeLimit(gone, Math.max(patienceMs, OTHERS_PATIENCE_MS));
    if (!(await this.#turns.take(appId, patience, longest))) throw busy(this.#turns.isRunning(appId));
    try {
      for (;;) {
        const outcome = await this.#attempt({ appId, gone }, limitMs, read);
        if (outcome) return outcome.value;
        if (patience.aborted) throw busy(true);
        await pause(withJitter(LOOK_AGAIN_MS, 1));
      }
    } finally {
      this.#turns.end(appId);
    }
  }

  /** @returns null if both places of the application are taken at other gateways */
  async #attempt<T>(
    { appId, gone }: HeavyCaller,
    limitMs: number,
    read: (executor: Executor) => Promise<T>,
  ): Promise<{ value: T } | null> {
    const timeUp = withTimeLimit(gone, limitMs);
    try {
      return await inTransaction(this.heavy.pool, async (executor) => {
        const begun = await this.reads.begin(executor, appId, limitMs);
        if (!begun) return null;
        const reading = { isOver: false };
        let cancelling: Promise<void> | undefined;
        const cancel = (): void => {
          cancelling = this.#cancel(begun, reading);
        };
        timeUp.addEventListener('abort', cancel, { once: true });
        if (timeUp.aborted) cancel();
        try {
          return { value: await read(executor) };
        } finally {
          reading.isOver = true;
          timeUp.removeEventListener('abort', cancel);
          // Otherwise it might end the next read on this connection.
          await cancelling;
        }
      });
    } catch (error) {
      if (sqlState(error) === QUERY_CANCELLED) throw tooExpensive(limitMs);
      throw error;
    }
  }

  /** Cancels the statements of the read until it has ended: it may be between two statements. */
  async #cancel(begun: HeavyRead, reading: { isOver: boolean }): Promise<void> {
    while (!reading.isOver) {
      await this.reads.cancel(begun).catch(() => undefined);
      if (!reading.isOver) await pause(CANCEL_AGAIN_MS);
    }
  }
}

function busy(isOwn: boolean): DomainError {
  const whose = isOwn
    ? `This application has ${HEAVY_READS_OF_ONE} counts or other large reads under way`
    : 'Counts and other large reads of other applications take all places';
  const message = `${whose}; nothing was done`;
  return new DomainError('RATE_LIMITED', message, { retryAfterSeconds: RETRY_AFTER_SECONDS });
}

function tooExpensive(limitMs: number): DomainError {
  const message = `This took longer than ${limitMs / 1_000} seconds and was ended; use fewer or narrower rules, or ask for less. Nothing was done`;
  return new DomainError('AUDIENCE_TOO_COSTLY', message);
}
