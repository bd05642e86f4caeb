import { DELIVERY_STATES, type DeviceId, type DeliveryState, MINUTE_MS, type ReceiptKind } from '@postrider/domain';
import { newId } from '@postrider/platform';
import { createThrowAwayDatabase, type ThrowAwayDatabase, emptyTables } from '@postrider/testing';
import fc from 'fast-check';
import { type Database, inSnapshot, rows } from '../database/executor';
import { DeliveryReportsRepository } from '../delivery-reports/delivery-reports.repository';
import type { DeliveryRecord } from '../delivery-reports/list-deliveries.statement';
import type { RecordedDeliveries } from '../deliveries/record-deliveries';
import { OwnerChangesRepository } from '../devices/owner-changes.repository';
import { ErasedUsersRepository } from '../erasures/erased-users.repository';
import { ErasuresRepository } from '../erasures/erasures.repository';
import { WaitingDeliveriesRepository } from '../waiting/waiting-deliveries.repository';
import { InboxRepository } from '../inbox/inbox.repository';
import type { LeasedPage } from '../partitions/message-key';
import { MessagesRepository } from '../messages/messages.repository';
import { PagesRepository } from '../pages/pages.repository';
import { combineReceipts } from '../receipts/receipt';
import { ReceiptsRepository } from '../receipts/receipts.repository';
import { StatisticsRepository } from '../statistics/statistics.repository';
import { UserHistoryRepository } from '../users/user-history.repository';

const DEVICES = 12;
/** The devices whose own history is read: this takes most of the time. */
const READ = [0, 4, 8];
const LAST_ID = 'ffffffff-ffff-ffff-ffff-ffffffffffff';
const LINK = 'https://shop.example/sale';
/** Each test device has one of them. */
const LANGUAGES = [null, 'fa', 'de'];

type Outcome = 'sent' | 'failed' | 'retry' | 'left';

/** Something that happens in a history. Both shapes see the same. Numbers are taken modulo the number of things. */
type Step =
  | { kind: 'claim' | 'stale' | 'again' | 'lapse' | 'sweep' | 'cancel'; at: number }
  | { kind: 'flush' | 'settle'; at: number; outcomes: Outcome[] }
  | { kind: 'report'; at: number; device: number; receipt: ReceiptKind; agoMs: number }
  | { kind: 'follow' | 'connect' | 'erase'; at: number; device: number };

/** The page that a worker has claimed, by numbers of test devices. */
interface Run {
  page: { messageId: string; pageId: string };
  fence: number;
  attempt: number;
  undone: number[];
  retries: number[];
  inbox: number[];
  last: { devices: number[]; outcomes: Outcome[]; at: Date } | null;
}

const outcomes = fc.array(fc.constantFrom<Outcome>('sent', 'sent', 'sent', 'sent', 'failed', 'retry', 'left'), {
  minLength: 1,
  maxLength: DEVICES,
});
const at = fc.nat(1_000);
const device = fc.nat(DEVICES - 1);
const step: fc.Arbitrary<Step> = fc.oneof(
  { weight: 5, arbitrary: fc.record({ kind: fc.constant('claim' as const), at }) },
  { weight: 6, arbitrary: fc.record({ kind: fc.constantFrom('flush' as const, 'settle' as const), at, outcomes }) },
  {
    weight: 3,
    arbitrary: fc.record({ kind: fc.constantFrom('stale' as const, 'again' as const, 'lapse' as const), at }),
  },
  { weight: 1, arbitrary: fc.record({ kind: fc.constantFrom('sweep' as const, 'cancel' as const), at }) },
  {
    weight: 6,
    arbitrary: fc.record({
      kind: fc.constant('report' as const),
      receipt: fc.constantFrom<ReceiptKind>('delivered', 'shown', 'dismissed', 'opened', 'action', 'link'),
      agoMs: fc.nat(3 * MINUTE_MS),
      ...{ at, device },
    }),
  },
  {
    weight: 2,
    arbitrary: fc.record({
      kind: fc.constantFrom('follow' as const, 'connect' as const, 'erase' as const),
      ...{ at, device },
    }),
  },
);

/** One application, whose campaigns are recorded in one of the two ways. */
class Shape {
  readonly #pages: PagesRepository;
  readonly #receipts: ReceiptsRepository;
  readonly #reports: DeliveryReportsRepository;
  readonly #history: UserHistoryRepository;
  readonly #inboxes: InboxRepository;

  constructor(
    private readonly database: Database,
    readonly appId: string,
    private readonly isPacked: boolean,
    readonly deviceIds: readonly DeviceId[],
  ) {
    this.#pages = new PagesRepository(database);
    this.#receipts = new ReceiptsRepository(database);
    this.#reports = new DeliveryReportsRepository(database);
    this.#history = new UserHistoryRepository(database);
    this.#inboxes = new InboxRepository(database);
  }

  async addMessage(messageId: string, acceptedAt: Date, pages: { pageId: string; devices: number[] }[]): Promise<void> {
    await rows(
      this.database,
      `INSERT INTO messages (app_id, id, kind, is_campaign, lane, audience, channel, content, count, resolve_ceiling, resolved_at,
         accepted_at, expires_at, wake_at, track_id)
       VALUES ($1, $2, 'query', true, 'campaign', '{}', 'public/default', $3, $4, 0, $5, $5, $6, $5, 'spring')`,
      [
        this.appId,
        messageId,
        { content: 'hello', notification: { clickUrl: LINK } },
        DEVICES,
        acceptedAt,
        new Date(acceptedAt.getTime() + 24 * 60 * MINUTE_MS),
      ],
    );
    for (const { pageId, devices } of pages) {
      await rows(
        this.database,
        `INSERT INTO pages (app_id, message_id, id, vendor, lane, device_ids, wake_at, created_at)
         VALUES ($1, $2, $3, 'fcm', 'campaign', $4, $5, $5)`,
        [this.appId, messageId, pageId, devices.map((n) => this.deviceIds[n]), acceptedAt],
      );
    }
  }

  /**
   * @returns the numbers of the devices that the worker has to send to, and of those with an inbox; null: it cannot be
   * claimed
   */
  async claim(run: Run['page'], now: Date): Promise<Pick<Run, 'fence' | 'attempt' | 'undone' | 'inbox'> | null> {
    const leaseUntil = new Date(now.getTime() + MINUTE_MS);
    const claimed = await this.#pages.claim(
      { appId: this.appId, ...run },
      { leasedBy: 'w', now, leaseUntil, isAlone: true },
    );
    if (claimed === null) return null;
    const inbox = claimed.devices.filter(({ usesConnection }) => usesConnection);
    const { fence, attempt } = claimed;
    return { fence, attempt, undone: this.#numbers(claimed.devices), inbox: this.#numbers(inbox) };
  }

  #numbers(devices: readonly { id: DeviceId }[]): number[] {
    return devices.map(({ id }) => this.deviceIds.indexOf(id));
  }

  #leased({ page, fence, inbox }: Run): LeasedPage {
    return { appId: this.appId, ...page, fence, connectionDeviceIds: inbox.map((n) => this.deviceIds[n] as DeviceId) };
  }

  flush(run: Run, devices: number[], ended: Outcome[], now: Date, isRepeated: boolean): Promise<boolean> {
    const recorded = this.#recorded(devices, ended, now);
    return this.isPacked && run.attempt === 1
      ? this.#pages.flushPacked(this.#leased(run), recorded, now, isRepeated || run.fence > 1)
      : this.#pages.flush(this.#leased(run), recorded, now);
  }

  settle(run: Run, retryPageId: string, now: Date): Promise<boolean> {
    const ids = (numbers: number[]): DeviceId[] => numbers.map((n) => this.deviceIds[n] as DeviceId);
    return this.#pages.settle(this.database, this.#leased(run), {
      recorded: this.#recorded([], [], now),
      retries:
        run.retries.length === 0
          ? []
          : [{ id: retryPageId, deviceIds: ids(run.retries), isUnanswered: false, notBefore: now }],
      remainder:
        run.undone.length === 0 ? null : { deviceIds: ids(run.undone), notBefore: null, forgetsFirstAttempt: false },
      now,
      lastCallAt: new Date(now.getTime() + 60 * MINUTE_MS),
    });
  }

  #recorded(devices: number[], ended: Outcome[], now: Date): RecordedDeliveries {
    const taken = devices.flatMap((n, place) => {
      const state = ended[place];
      return state === 'sent' || state === 'failed' ? [{ n, state }] : [];
    });
    return {
      deviceIds: taken.map(({ n }) => this.deviceIds[n] as DeviceId),
      states: taken.map(({ state }) => state),
      vendorMessageIds: taken.map(({ n, state }) =>
        state === 'sent' ? `projects/shop/messages/0:${now.getTime()}%${n}` : null,
      ),
      errorCodes: taken.map(({ state }) => (state === 'failed' ? 'UNREGISTERED' : null)),
      reasons: taken.map(({ state }) => (state === 'failed' ? 'gone' : null)),
      times: taken.map(({ n }) => now.getTime() - n),
      languages: taken.map(({ n }) => LANGUAGES[n % LANGUAGES.length] ?? null),
    };
  }

  async report(n: number, messageId: string, kind: ReceiptKind, times: { at: Date; now: Date }): Promise<void> {
    const device = { appId: this.appId, deviceId: this.deviceIds[n] as DeviceId };
    const receipt = { messageId, kind, at: times.at, actionId: 'yes', link: LINK };
    await this.#receipts.record(combineReceipts(device, [receipt], times.now), times.now);
  }

  async follow(n: number, messageId: string, now: Date): Promise<void> {
    const deviceId = this.deviceIds[n] as DeviceId;
    const statistics = new StatisticsRepository(this.database);
    await statistics.countLinkClicks([{ appId: this.appId, messageId, deviceId, link: LINK, at: now }]);
  }

  async connect(n: number, now: Date): Promise<void> {
    const deviceId = this.deviceIds[n] as DeviceId;
    await rows(this.database, `UPDATE installations SET connected_at = now() WHERE id = $1`, [deviceId]);
    await new WaitingDeliveriesRepository(this.database).keepUnsent([{ appId: this.appId, deviceId }], now);
  }

  async cancel(messageId: string, now: Date): Promise<void> {
    await new MessagesRepository(this.database).cancel(this.database, { appId: this.appId, messageId }, now);
  }

  sweep(messageIds: readonly string[], now: Date): Promise<number> {
    const messages = messageIds.map((messageId) => ({ appId: this.appId, messageId }));
    return this.#pages.endCancelled(messages, now, 10);
  }

  async erase(n: number, erasureId: string): Promise<number> {
    const user = { appId: this.appId, userId: `user-${n}`, erasureId, pattern: 'nobody' };
    await new ErasuresRepository(this.database).begin(user);
    const erased = new ErasedUsersRepository(this.database);
    await erased.removeDevices(user, 10);
    let deliveries = 0;
    for (let found = 1; found === 1; deliveries += found)
      found = await erased.eraseDeliveriesOf(user, [this.deviceIds[n] as DeviceId], 1);
    return deliveries;
  }

  /** Every answer of the reading API, with the numbers of test devices in place of the ids. */
  async read(messageIds: readonly string[], now: Date): Promise<object> {
    return {
      messages: await Promise.all(messageIds.map((id) => this.#readMessage(id))),
      devices: await Promise.all(READ.map((n) => this.#readDevice(this.deviceIds[n] as DeviceId, n, now))),
      counts: await rows(
        this.database,
        `SELECT message_id, kind, hour, platform, name, count FROM message_counts WHERE app_id = $1 AND count <> 0 ORDER BY 1, 2, 3, 4, 5`,
        [this.appId],
      ),
    };
  }

  async #readMessage(messageId: string): Promise<object> {
    const counts = await inSnapshot(this.database, (executor) => this.#reports.count(executor, this.appId, messageId));
    const lists: Record<string, unknown> = {};
    for (const state of [null, ...DELIVERY_STATES]) lists[state ?? 'any'] = await this.#list(messageId, state);
    const found = await this.#reports.findOfDevices(this.appId, messageId, this.deviceIds);
    return {
      counts: counts.map((count) => JSON.stringify(count)).toSorted(),
      lists,
      found: this.#shown(found).toSorted((one, other) => one.n - other.n),
    };
  }

  async #list(messageId: string, state: DeliveryState | null): Promise<object[]> {
    const listed: object[] = [];
    for (let afterDeviceId = '0'; ;) {
      const part = await this.#reports.list(this.database, this.appId, messageId, { state, afterDeviceId, limit: 5 });
      listed.push(...this.#shown(part));
      if (part.length < 5) return listed;
      afterDeviceId = part.at(-1)?.deviceId ?? '';
    }
  }

  #shown(deliveries: readonly DeliveryRecord[]): { n: number }[] {
    return deliveries.map((delivery) => ({
      ...showable(delivery),
      n: this.deviceIds.indexOf(delivery.deviceId),
    }));
  }

  async #readDevice(deviceId: DeviceId, n: number, now: Date): Promise<object> {
    const device = { appId: this.appId, deviceId, userId: `user-${n}`, userSince: new Date(0) };
    const stretch = { beforeMessageId: LAST_ID, beforeDeviceId: '0', limit: 10 };
    const sent = await this.#history.listDeliveries(this.appId, device.userId, stretch);
    const [first] = sent;
    const behind = { beforeMessageId: first?.messageId ?? LAST_ID, beforeDeviceId: deviceId, limit: 1 };
    const further = await this.#history.listDeliveries(this.appId, device.userId, behind);
    const exported = await this.#history.readMessages(this.appId, device.userId, {
      which: 'groups',
      afterId: '00000000-0000-0000-0000-000000000000',
      limit: 10,
    });
    const named = { kind: 'opened', at: now, messageId: null } as const;
    return {
      sent: sent.map((delivery) => without(delivery, ['deviceId'])),
      further: further.map(({ messageId }) => messageId),
      exported: exported.map((message) => ({ ...message, deliveries: message.deliveries.map(withMoments) })),
      inbox: await this.#inboxes.read(device, { beforeId: null, limit: 10, now }),
      unread: await this.#inboxes.countUnread(device, now),
      byTrackId: await this.#receipts.nameMessages(this.appId, deviceId, [{ ...named, trackId: 'spring' }], now),
      byLink: await this.#receipts.nameMessages(this.appId, deviceId, [{ ...named, kind: 'link', link: LINK }], now),
      isInHand: await new OwnerChangesRepository(this.database).isInHand(device, new Date(0).toISOString(), now),
    };
  }
}

function showable(delivery: DeliveryRecord): object {
  return without(delivery, ['deviceId', 'isPacked', 'isAll']);
}

function without(record: object, names: readonly string[]): object {
  return Object.fromEntries(Object.entries(record).filter(([name]) => !names.includes(name)));
}

/** PostgreSQL and JavaScript write the same moment in different ways. */
function withMoments(delivery: Record<string, unknown>): object {
  const { sentAt } = delivery;
  return { ...delivery, sentAt: typeof sentAt === 'string' ? new Date(sentAt).getTime() : sentAt };
}

/** Drives two shapes through one history. */
class History {
  readonly #runs = new Map<string, Run>();
  readonly #former: Run[] = [];
  readonly #erased = new Set<number>();
  #now = new Date();

  constructor(
    private readonly shapes: readonly [Shape, Shape],
    private readonly messageIds: readonly string[],
    private readonly pages: { messageId: string; pageId: string }[],
  ) {}

  get now(): Date {
    return this.#now;
  }

  async take(step: Step): Promise<void> {
    this.#now = new Date(this.#now.getTime() + 7);
    if ('device' in step) await this.#ofDevice(step);
    else if ('outcomes' in step) await this.#work(step.at, step.outcomes, step.kind === 'settle');
    else if (step.kind === 'claim') await this.#claim(this.pages[step.at % this.pages.length] as Run['page']);
    else if (step.kind === 'stale') await this.#repeat(this.#former, step.at);
    else if (step.kind === 'again') await this.#repeat([...this.#runs.values()], step.at);
    else if (step.kind === 'lapse') this.#now = new Date(this.#now.getTime() + 2 * MINUTE_MS);
    else await this.#ofMessage(step.kind, this.#messageAt(step.at));
  }

  #messageAt(pick: number): string {
    return this.messageIds[pick % this.messageIds.length] as string;
  }

  async #ofMessage(kind: 'sweep' | 'cancel', messageId: string): Promise<void> {
    const now = this.#now;
    if (kind === 'cancel') await this.#same((shape) => shape.cancel(messageId, now));
    else await this.#same((shape) => shape.sweep(this.messageIds, now));
  }

  async #ofDevice(step: Extract<Step, { device: number }>): Promise<void> {
    const now = this.#now;
    const { device } = step;
    const messageId = this.#messageAt(step.at);
    if (this.#erased.has(device)) return;
    if (step.kind === 'report') {
      const at = new Date(now.getTime() - step.agoMs);
      await this.#same((shape) => shape.report(device, messageId, step.receipt, { at, now }));
    } else if (step.kind === 'follow') await this.#same((shape) => shape.follow(device, messageId, now));
    else if (step.kind === 'connect') await this.#same((shape) => shape.connect(device, now));
    else if (![...this.#runs.values()].some(({ undone }) => undone.includes(device))) {
      // An erasure waits until nobody has the device in hand.
      this.#erased.add(device);
      const erasureId = newId();
      await this.#same((shape) => shape.erase(device, erasureId));
    }
  }

  async #claim(page: Run['page']): Promise<void> {
    const claimed = await this.#same((shape) => shape.claim(page, this.#now));
    if (claimed === null) return;
    const former = this.#runs.get(page.pageId);
    if (former) this.#former.push(former);
    this.#runs.set(page.pageId, { page, ...claimed, retries: [], last: null });
  }

  async #work(pick: number, ended: Outcome[], isEnd: boolean): Promise<void> {
    const run = [...this.#runs.values()][pick % Math.max(1, this.#runs.size)];
    if (run === undefined) return;
    const devices = run.undone.slice(0, isEnd ? DEVICES : ended.length);
    const fates = devices.map((n, place): Outcome => {
      const fate = ended[place] ?? 'sent';
      return this.#erased.has(n) ? 'failed' : fate;
    });
    const now = this.#now;
    const isHeld = await this.#same((shape) => shape.flush(run, devices, fates, now, false));
    if (!isHeld) {
      this.#runs.delete(run.page.pageId);
      return;
    }
    run.last = { devices, outcomes: fates, at: now };
    run.undone = run.undone.filter((n) => !devices.includes(n) || fates[devices.indexOf(n)] === 'left');
    run.retries.push(...devices.filter((_, place) => fates[place] === 'retry'));
    if (isEnd) await this.#settle(run);
  }

  async #settle(run: Run): Promise<void> {
    const retryPageId = newId();
    const now = this.#now;
    if (!(await this.#same((shape) => shape.settle(run, retryPageId, now)))) return;
    this.#runs.delete(run.page.pageId);
    this.#former.push(run);
    if (run.retries.length > 0) this.pages.push({ messageId: run.page.messageId, pageId: retryPageId });
  }

  /** A worker that got no answer, or lost its page, writes the same again. */
  async #repeat(runs: readonly Run[], pick: number): Promise<void> {
    const run = runs[pick % Math.max(1, runs.length)];
    const last = run?.last;
    if (run && last) await this.#same((shape) => shape.flush(run, last.devices, last.outcomes, last.at, true));
  }

  async #same<Answer>(work: (shape: Shape) => Promise<Answer>): Promise<Answer> {
    const [one, other] = [await work(this.shapes[0]), await work(this.shapes[1])];
    expect(other).toEqual(one);
    return one;
  }
}

describe('deliveries in rows, and in rows and packs', () => {
  let throwAway: ThrowAwayDatabase;
  let database: Database;

  beforeAll(async () => {
    throwAway = await createThrowAwayDatabase(8);
    database = throwAway.dataSource;
    await rows(
      database,
      `INSERT INTO applications (app_id, name, identity_key_sealed) VALUES ('rows', 'Rows', ''), ('packs', 'Packs', '')`,
    );
  });
  afterAll(() => throwAway.drop());

  async function shape(appId: string, apart: number, accepted: Date): Promise<Shape> {
    const base = appId === 'rows' ? 1 : 2;
    const ids = Array.from({ length: DEVICES }, (_, n) => String(base + 2 + n * apart));
    await rows(
      database,
      `INSERT INTO installations (id, app_id, installation_id, user_id, user_since, created_at, device_type, push_type, token, token_registered_at)
       OVERRIDING SYSTEM VALUE
       SELECT id, $1, ('00000000-0000-4000-8000-' || lpad((n - 1)::text, 12, '0'))::uuid, 'user-' || n - 1, $3, $3, 'android', 'fcm', $1 || n, $3
       FROM unnest($2::bigint[]) WITH ORDINALITY AS device (id, n)`,
      [appId, ids, accepted],
    );
    return new Shape(database, appId, appId === 'packs', ids);
  }

  it('answer the same, whatever happened', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.array(step, { minLength: 5, maxLength: 40 }),
        fc.constantFrom(2, 3_000, 5_000_000),
        async (steps, apart) => {
          await emptyTables(
            database,
            'deliveries',
            'delivery_packs',
            'delivery_clicks',
            'pages',
            'messages',
            'message_counts',
            'erasures',
            'installations',
          );
          const accepted = new Date(Date.now() - 5 * MINUTE_MS);
          const shapes = [
            await shape('rows', 2, new Date(accepted.getTime() - MINUTE_MS)),
            await shape('packs', apart, new Date(accepted.getTime() - MINUTE_MS)),
          ] as const;
          const messageIds = [newId(accepted), newId(accepted)].toSorted();
          const pages: Run['page'][] = [];
          for (const messageId of messageIds) {
            const ofMessage = [
              { pageId: newId(), devices: [0, 1, 2, 3, 4, 5, 6] },
              { pageId: newId(), devices: [7, 8, 9, 10] },
            ];
            for (const one of shapes) await one.addMessage(messageId, accepted, ofMessage);
            pages.push(...ofMessage.map(({ pageId }) => ({ messageId, pageId })));
          }
          const history = new History(shapes, messageIds, pages);
          for (const taken of steps) await history.take(taken);
          const [one, other] = await Promise.all(shapes.map((each) => each.read(messageIds, history.now)));
          expect(other).toEqual(one);
        },
      ),
      { numRuns: 25, endOnFailure: true },
    );
  });
});
