import { Inject, Injectable, type OnModuleInit } from '@nestjs/common';
import { type Lane, PUSH_VENDORS } from '@postrider/domain';
import { EdgesRepository, isDatabaseUnavailable } from '@postrider/persistence';
import { HealthRegistry } from '@postrider/platform';
import {
  importPromoSet,
  pageJob,
  QueueInspector,
  QueueUnavailable,
  resolveMessage,
  validateImport,
} from '@postrider/queues';
import { RedisEvictionCheck } from './redis-eviction.check';

/** Processes that say every few seconds that they work. */
interface Processes {
  /** What they are called: "no … runs", "no … was heard". */
  name: string;
  /** The queues that they work on. */
  queues: readonly string[];
  /** What follows if there is none, and what to do then. */
  missing: string;
}

const AUDIENCE: Processes = {
  name: 'audience worker',
  queues: [resolveMessage.queue, validateImport.queue],
  missing: 'campaigns, uploaded files and maintenance wait: start apps/audience-worker',
};
const PROMO: Processes = {
  name: 'promo worker',
  queues: [importPromoSet.queue],
  missing: 'uploaded promo codes wait: start apps/promo-worker',
};
const LANES: Readonly<Record<Lane, string>> = { transactional: 'messages to named users', campaign: 'campaigns' };
const EDGE = 'device edge';
const EDGE_MISSING = 'devices that have no vendor push get nothing, the others get push: start apps/device-edge';

/** A worker is heard every five seconds, an edge every second. A machine under load may be late. */
const LONGEST_SILENCE_SECONDS = 30;
const SILENT = 'is it suspended, overloaded, or cut off from the network? Restart it';

/**
 * Notices that processes of a kind are missing, or that none of them was heard for half a minute: what they work on is
 * accepted, and waits.
 */
@Injectable()
export class ProcessesCheck implements OnModuleInit {
  /** What is being read of the workers. The checks of a report run at the same moment and share it. */
  #reading: Promise<ReadonlyMap<string, number>> | undefined;

  constructor(
    private readonly health: HealthRegistry,
    @Inject(QueueInspector) private readonly inspector: Pick<QueueInspector, 'secondsUnheard'>,
    @Inject(EdgesRepository) private readonly edges: Pick<EdgesRepository, 'secondsUnheard' | 'areNeeded'>,
    @Inject(RedisEvictionCheck) private readonly eviction: Pick<RedisEvictionCheck, 'problem'>,
  ) {}

  onModuleInit(): void {
    const checks = {
      lanes: () => this.checkLanes(),
      'audience-worker': () => this.#checkWorkers([AUDIENCE]),
      'promo-worker': () => this.#checkWorkers([PROMO]),
      'device-edge': () => this.checkEdges(),
    };
    for (const [name, check] of Object.entries(checks)) this.health.register(name, check, { critical: false });
  }

  /** @throws Error if no delivery worker takes a lane. Resolves while Redis is away, which is a finding of its own */
  checkLanes(): Promise<void> {
    const lanes = Object.entries(LANES) as [Lane, string][];
    return this.#checkWorkers(
      lanes.map(([lane, about]) => ({
        name: `delivery worker of the lane ${lane}`,
        queues: PUSH_VENDORS.map((vendor) => pageJob(vendor, lane).queue),
        missing: `${about} wait: start apps/delivery-worker with this lane in DELIVERY_LANES`,
      })),
    );
  }

  /**
   * @throws Error if no edge runs and devices need one: not every installation has devices with a connection. Resolves
   * while PostgreSQL is away, which is a finding of its own
   */
  async checkEdges(): Promise<void> {
    const problem = await unlessAway(async () => {
      const seconds = await this.edges.secondsUnheard();
      if (seconds === null && !(await this.edges.areNeeded())) return null;
      return problemOf(EDGE, EDGE_MISSING, seconds);
    }, isDatabaseUnavailable);
    if (typeof problem === 'string') throw new Error(problem);
  }

  /** @throws Error if one of these is missing. Resolves while Redis is away */
  async #checkWorkers(kinds: readonly Processes[]): Promise<void> {
    const heard = await unlessAway(
      () => this.#heard(),
      (error) => error instanceof QueueUnavailable,
    );
    if (heard === undefined) return;
    const problems = kinds.flatMap(({ name, queues, missing }) => {
      const silences = queues.map((queue) => heard.get(queue) ?? null);
      return problemOf(name, missing, silences.includes(null) ? null : Math.max(...(silences as number[]))) ?? [];
    });
    if (problems.length === 0) return;
    // Redis may have deleted what the workers say in it.
    const cause = await this.eviction.problem();
    throw new Error([...(cause === null ? [] : [`${cause}; if it is still so then`]), problems.join('; ')].join(': '));
  }

  #heard(): Promise<ReadonlyMap<string, number>> {
    this.#reading ??= this.inspector.secondsUnheard().finally(() => (this.#reading = undefined));
    return this.#reading;
  }
}

/** @param seconds since it was heard; null: it was never heard @returns null: nothing is wrong */
function problemOf(name: string, missing: string, seconds: number | null): string | null {
  if (seconds === null) return `no ${name} runs, and ${missing}`;
  if (seconds <= LONGEST_SILENCE_SECONDS) return null;
  return `no ${name} was heard for ${Math.round(seconds)} s: ${SILENT}`;
}

/** @returns undefined while the service that is asked is away */
async function unlessAway<T>(ask: () => Promise<T>, isAway: (error: unknown) => boolean): Promise<T | undefined> {
  try {
    return await ask();
  } catch (error) {
    if (isAway(error)) return undefined;
    throw error;
  }
}
