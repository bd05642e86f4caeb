import { Inject, Injectable, type OnApplicationBootstrap, type BeforeApplicationShutdown } from '@nestjs/common';
import { beatEdge, DATABASE, type Database, removeDeadEdges, removeEdge } from '@postrider/persistence';
import { LOGGER, type Logger, Shutdown } from '@postrider/platform';
import { ClockworkParts } from '../ledger/clockwork-parts.service';
import { EDGE_ID } from '../presence/edge-id';
import { Withdrawals } from '../inbox/cancelled-messages.service';

const BEAT_MS = 1_000;
const TOKENS_MS = 1_500;
const RECONCILE_MS = 5_000;
const DEAD_EDGES_MS = 10_000;
const DEAD_ROWS_AT_ONCE = 5_000;

/** What an edge does by the clock: it says that it is alive, looks at its connections, and at the ledger for them. */
@Injectable()
export class Clockwork implements OnApplicationBootstrap, BeforeApplicationShutdown {
  readonly #timers: NodeJS.Timeout[] = [];
  readonly #running = new Set<string>();
  /** Turns that are wanted again as soon as the one under way is over. */
  readonly #again = new Set<string>();
  readonly #failing = new Set<string>();

  constructor(
    @Inject(DATABASE) private readonly database: Database,
    @Inject(EDGE_ID) private readonly edgeId: string,
    @Inject(LOGGER) private readonly logger: Logger,
    private readonly shutdown: Shutdown,
    private readonly parts: ClockworkParts,
    private readonly withdrawals: Withdrawals,
  ) {}

  async onApplicationBootstrap(): Promise<void> {
    const { connections, inbox, rechecks, closing, events, hints } = this.parts;
    const closeTold = (): Promise<void> => closing.closeTold();
    await beatEdge(this.database, this.edgeId);
    hints.listen(this.edgeId, {
      onHint: (messageIds) => inbox.hint(messageIds),
      onClosures: () => this.#takeNow('closures', closeTold),
      onEvent: (text) => events.receive(text),
    });
    this.#every(BEAT_MS, 'heartbeat', () => this.#beat());
    this.#every(BEAT_MS, 'closures', closeTold);
    this.#every(BEAT_MS, 'withdrawals', () => this.withdrawals.takeBack());
    this.#every(TOKENS_MS, 'tokens', () => closing.closeRevoked());
    this.#every(RECONCILE_MS, 'reconcile', () => closing.reconcile());
    this.#every(DEAD_EDGES_MS, 'dead-edges', async () => {
      await removeDeadEdges(this.database, DEAD_ROWS_AT_ONCE);
    });
    this.#every(BEAT_MS, 'connections', () => {
      const nowMs = performance.now();
      for (const session of connections.all()) session.tick(nowMs);
      connections.resting.tick(nowMs);
      rechecks.tick(nowMs);
      inbox.sweep();
      return Promise.resolve();
    });
  }

  /** The connections are closed by now: nobody is present here any more. */
  async beforeApplicationShutdown(): Promise<void> {
    for (const timer of this.#timers) clearInterval(timer);
    await removeEdge(this.database, this.edgeId).catch((error: unknown) => {
      this.logger.warn({ err: error }, 'edge.not-removed');
    });
  }

  /** Whoever was thought dead for a while has missed what was routed meanwhile. */
  async #beat(): Promise<void> {
    const wasDead = await beatEdge(this.database, this.edgeId);
    if (wasDead) this.parts.rechecks.all();
  }

  #every(ms: number, name: string, turn: () => Promise<void>): void {
    const timer = setInterval(() => {
      if (!this.#running.has(name)) void this.#take(name, turn);
    }, ms);
    this.#timers.push(timer);
  }

  /** Takes a turn now; where one is under way, another after it. */
  #takeNow(name: string, turn: () => Promise<void>): void {
    if (this.#running.has(name)) this.#again.add(name);
    else void this.#take(name, turn);
  }

  /** One turn at a time; a turn that fails is taken again with the next beat, and only the first failure is logged. */
  async #take(name: string, turn: () => Promise<void>): Promise<void> {
    this.#running.add(name);
    try {
      do {
        this.#again.delete(name);
        if (this.shutdown.isShuttingDown) return;
        await turn();
        this.#failing.delete(name);
      } while (this.#again.has(name));
    } catch (error) {
      if (!this.#failing.has(name)) this.logger.warn({ err: error, name }, 'turn.failed');
      this.#failing.add(name);
    } finally {
      this.#running.delete(name);
    }
  }
}
