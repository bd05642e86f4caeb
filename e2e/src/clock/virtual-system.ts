import type { FcmPayload, MessageKind, PushVendor, QuietHours, SendOutcome } from '@postrider/domain';
import { type ResolveMessageProcessor, startResolving } from '@postrider/audience-worker/testing';
import {
  ANY_CREDENTIALS,
  FakeSender,
  FakeSmsSender,
  type FallbackWorker,
  startFallbackWorker,
  startTestWorker,
  storeCredentials,
  storeSmsCredentials,
  type TestWorker,
} from '@postrider/delivery-worker/testing';
import { AcceptSends } from '@postrider/gateway/testing';
import {
  ChooseWinner,
  ChooseWinners,
  CloseUnprovedConnections,
  EndCancelledPages,
  EndWaitingDeliveries,
  RerouteLateMessages,
  type MaintenanceTask,
  OpenConnectionPages,
  PutOffQuiet,
  RecoverMessages,
  RecoverPages,
  ReleaseQuiet,
} from '@postrider/maintenance';
import {
  ApplicationsRepository,
  CampaignTestsRepository,
  ContactsRepository,
  type Database,
  MessagesRepository,
  PacingRepository,
  PagesRepository,
  PresenceRepository,
  QuietChangesRepository,
  rows,
  WaitingDeliveriesRepository,
} from '@postrider/persistence';
import { createLogger, loadConfig } from '@postrider/platform';
import { type AttemptPagePayload, Enqueuer, type EdgeHints, isAgain, pagesOfJob } from '@postrider/queues';
import { createRenderer } from '@postrider/rendering';
import type { PushRequest } from '@postrider/vendors';
import { createThrowAwayDatabase, TestClock, type ThrowAwayDatabase } from '@postrider/testing';
import { VirtualJobs, type WaitingJob } from './virtual-jobs';

/** Something that left the system: to whom, and when. */
export type Departure = [at: string, to: string];

/** One device of a user. */
export interface VirtualDevice {
  userId: string;
  /** Null: it cannot be reached. */
  token: string | null;
  timeZone?: string | null;
  tags?: string[];
  /** It uses a connection of its own, and is not connected. */
  realtime?: boolean;
}

/** The options of the system. */
interface VirtualSystemOptions {
  startsAt: Date;
  answer?: (token: string, times: number) => SendOutcome;
}

/**
 * Gateway, audience worker and delivery worker in this process, their own services on a real PostgreSQL, with a clock
 * that jumps from one wake-up to the next: the ledger and the queues are looked at exactly when they want it.
 */
export class VirtualSystem {
  readonly pushes: Departure[] = [];
  readonly texts: Departure[] = [];
  /** The messages that each token got, in order. */
  readonly words = new Map<string, string[]>();
  readonly clock: TestClock;
  readonly #jobs: VirtualJobs;
  readonly #maintenance: MaintenanceTask[];
  readonly #resolver: ResolveMessageProcessor;
  readonly #gateway: AcceptSends;
  readonly #worker: TestWorker;
  readonly #fallbacks: FallbackWorker;
  readonly #running = new AbortController();

  private constructor(
    private readonly throwAway: ThrowAwayDatabase,
    { startsAt, answer }: VirtualSystemOptions,
  ) {
    const clock = (this.clock = new TestClock(startsAt.getTime()));
    const jobs = (this.#jobs = new VirtualJobs(clock));
    const database = this.database;
    const logger = createLogger('test', { logLevel: 'silent', logFormat: 'json' });
    const hints = { tell: () => undefined, tellClosures: () => undefined } as unknown as EdgeHints;
    const enqueuer = new Enqueuer(jobs, clock, logger);
    const around = { database, clock, hints, logger, config: CONFIG };
    const [stored, pages] = [new MessagesRepository(database), new PagesRepository(database)];
    const applications = new ApplicationsRepository(database);
    const tests = new CampaignTestsRepository(database);
    this.#resolver = startResolving({ ...around, enqueuer });
    this.#maintenance = [
      new RecoverPages(pages, clock, enqueuer, CONFIG),
      new RecoverMessages(stored, clock, enqueuer, CONFIG),
      new EndCancelledPages(stored, clock, pages, CONFIG),
      new CloseUnprovedConnections(clock, hints, applications, new PresenceRepository(database), CONFIG),
      new ChooseWinners(clock, tests, new ChooseWinner(database, clock, logger, tests), logger, CONFIG),
      new ReleaseQuiet(clock, new QuietChangesRepository(database), CONFIG),
      new OpenConnectionPages(
        clock,
        new WaitingDeliveriesRepository(database),
        stored,
        new ContactsRepository(database),
        new PutOffQuiet(database, new PacingRepository(database)),
        CONFIG,
      ),
      new RerouteLateMessages(clock, CONFIG, logger, enqueuer, new WaitingDeliveriesRepository(database)),
      new EndWaitingDeliveries(stored, clock, CONFIG),
    ];
    const sender: FakeSender = new FakeSender('fcm', (token, times) => {
      this.pushes.push([this.time(), token]);
      this.words.set(token, [...(this.words.get(token) ?? []), wordsOf(sender.requests.at(-1))]);
      return answer?.(token, times) ?? { kind: 'accepted', vendorMessageId: null };
    });
    this.#worker = startTestWorker(throwAway, { clock, sender, makeRenderer: createRenderer });
    const sms = new FakeSmsSender(({ to }) => {
      this.texts.push([this.time(), to]);
      return { kind: 'accepted', vendorMessageId: to };
    });
    this.#fallbacks = startFallbackWorker(database, clock, { makeSender: () => sms });
    this.#gateway = new AcceptSends({ ...around, jobs });
  }

  static async open(options: VirtualSystemOptions): Promise<VirtualSystem> {
    const throwAway = await createThrowAwayDatabase();
    const system = new VirtualSystem(throwAway, options);
    await rows(
      system.database,
      `INSERT INTO applications (app_id, name, identity_key_sealed, default_time_zone, quiet_hours)
       VALUES ('shop', 'Shop', '', 'Asia/Tehran', '{"start":"22:00","end":"08:00","timeZone":"device","applies":"campaigns"}')`,
    );
    await storeCredentials(throwAway, 'shop', options.startsAt);
    await storeSmsCredentials(system.database, 'shop', ANY_CREDENTIALS, options.startsAt);
    return system;
  }

  get database(): Database {
    return this.throwAway.dataSource;
  }

  /** The time of day, to the twentieth of a second: a job comes a few milliseconds after it is due. */
  time(): string {
    return timeOf(this.clock.now());
  }

  async addDevices(...devices: VirtualDevice[]): Promise<void> {
    await rows(
      this.database,
      `INSERT INTO installations (app_id, installation_id, user_id, user_since, device_type, push_type, token, time_zone, tags, realtime)
       SELECT 'shop', gen_random_uuid(), d."userId", 'epoch', 'android', 'fcm', d.token, d."timeZone", coalesce(d.tags, '{}'),
         coalesce(d.realtime, false)
       FROM jsonb_to_recordset($1::jsonb) AS d ("userId" text, token text, "timeZone" text, tags text[], realtime boolean)`,
      [JSON.stringify(devices)],
    );
  }

  /** As a request to the endpoint of that kind. @returns the id of the message */
  send(kind: MessageKind, body: object): Promise<string> {
    return this.#gateway.send('shop', kind, body);
  }

  async cancel(messageId: string): Promise<void> {
    await new MessagesRepository(this.database).cancel(this.database, { appId: 'shop', messageId }, this.clock.now());
  }

  /** As an operator stores them. What waits for the end of the former ones is looked at once. */
  async setQuietHours(quietHours: QuietHours | null): Promise<void> {
    await new ApplicationsRepository(this.database).update('shop', { quietHours }, this.clock.now());
    await this.#work();
  }

  /** Lets time pass until then: everything that is due on the way is done at its moment. */
  async passUntil(end: Date): Promise<void> {
    for (;;) {
      const next = await this.#nextMoment();
      if (next === null || next > end) break;
      this.clock.goTo(next);
      await this.#work();
    }
    this.clock.goTo(end);
    await this.#work();
  }

  /** Returns how the devices and users of a message ended, by state. */
  async states(messageId: string): Promise<Record<string, number>> {
    const states = await rows<{ state: string; count: number }>(
      this.database,
      `SELECT state, sum(count)::integer AS count FROM (
         SELECT state || coalesce(' ' || error_code, '') AS state, 1 AS count FROM deliveries WHERE message_id = $1
         UNION ALL SELECT 'sent', count FROM delivery_packs WHERE message_id = $1
         UNION ALL SELECT 'sent', -1 FROM deliveries WHERE message_id = $1 AND is_packed
       ) deliveries GROUP BY 1 HAVING sum(count) > 0 ORDER BY 1`,
      [messageId],
    );
    return Object.fromEntries(states.map(({ state, count }) => [state, count]));
  }

  /** Returns when a message began to wait for connections, and for which ones. */
  async waits(messageId: string): Promise<Departure[]> {
    const found = await rows<{ at: Date; userId: string }>(
      this.database,
      `SELECT d.created_at AS at, i.user_id AS "userId" FROM deliveries d JOIN installations i ON i.app_id = d.app_id AND i.id = d.device_id
       WHERE d.message_id = $1 AND d.vendor = 'connection' ORDER BY 1, 2`,
      [messageId],
    );
    return found.map(({ at, userId }) => [timeOf(at), userId]);
  }

  async close(): Promise<void> {
    this.#running.abort();
    await this.#fallbacks.stop();
    await this.throwAway.drop();
  }

  async #nextMoment(): Promise<Date | null> {
    const [ledger] = await rows<{ at: Date | null }>(
      this.database,
      `SELECT least((SELECT min(wake_at) FROM pages), (SELECT min(winner_due_at) FROM messages), (SELECT min(wake_at) FROM messages WHERE resolved_at IS NULL),
         (SELECT min(wake_at) FROM fallbacks), (SELECT min(inbox_ends_at) FROM messages)) AS at`,
    );
    const times = [ledger?.at?.getTime(), this.#jobs.nextAt ?? undefined].filter((at) => at !== undefined);
    // The ledger knows microseconds.
    return times.length === 0 ? null : new Date(Math.min(...times) + 1);
  }

  async #work(): Promise<void> {
    for (const task of this.#maintenance) while (await task.run(this.#running.signal));
    await this.#fallbacks.turn();
    for (let due = this.#jobs.takeDue(); due.length > 0; due = this.#jobs.takeDue()) {
      for (const job of due) await this.#run(job);
    }
    await this.#worker.complete();
  }

  async #run(job: WaitingJob): Promise<void> {
    if (job.name === 'resolve-message') {
      const outcome = await this.#resolver.resolve(job.payload as { appId: string; messageId: string }, this.#running);
      if (isAgain(outcome)) this.#jobs.add({ ...job, at: this.clock.now().getTime() + outcome.delayMs });
      return;
    }
    const vendor = job.queue.split('.')[1] as PushVendor;
    const pages = pagesOfJob(job.payload as AttemptPagePayload);
    const begunAt = this.clock.now();
    const ends = await Promise.all(pages.map((page) => this.#worker.attempt(vendor, page)));
    // Meanwhile the worker may have waited for the page's time. Other pages do not wait with it.
    this.clock.returnTo(begunAt);
    const delays = ends.flatMap((end) => (end?.kind === 'waits' ? [end.delayMs] : []));
    if (delays.length > 0) this.#jobs.add({ ...job, at: this.clock.now().getTime() + Math.min(...delays) });
  }
}

function timeOf(moment: Date): string {
  return new Date(Math.floor(moment.getTime() / 50) * 50)
    .toISOString()
    .slice(8, -1)
    .replace(/\.000$/, '');
}

/** Returns the text that a device gets. */
function wordsOf(request: PushRequest | undefined): string {
  const { message } = request?.payload as FcmPayload;
  return (JSON.parse((message.data as { m: string }).m) as { content: string }).content;
}

const CONFIG = loadConfig({
  DATABASE_URL: 'postgres://unused',
  REDIS_URL: 'redis://unused',
  SECRET_KEY: 's'.repeat(32),
});
