import { DAY_MS, type DeviceId, type FrequencyCap, SECOND_MS } from '@postrider/domain';
import { ContactsRepository, type PageKey, PagesRepository } from '@postrider/persistence';
import { emptyTables } from '@postrider/testing';
import fc from 'fast-check';
import { accepted } from '../../testing/fake-sender';
import { APP_ID } from '../../testing/ledger';
import { usePageStage } from '../../testing/page-stage';
import type { TestWorker } from '../../testing/test-worker';

const USERS = 8;
/** The first users have a second device, which is on a page of its own. */
const WITH_TWO = 4;
const CAMPAIGNS = 6;

/** Campaigns that all leave at once, some seconds after the round before. */
interface Round {
  afterSeconds: number;
  /** The users of each campaign. */
  audiences: number[][];
  /** Devices whose messages the vendor refuses. */
  failing: number[];
  /** Pages whose worker is killed before it sends. */
  killed: number[];
}

const users = fc.uniqueArray(fc.nat({ max: USERS - 1 }), { minLength: 1, maxLength: USERS });
const round = fc.record<Round>({
  afterSeconds: fc.oneof(fc.integer({ min: 0, max: 40 }), fc.constantFrom(60, 120)),
  audiences: fc.array(users, { minLength: 1, maxLength: CAMPAIGNS }),
  failing: fc.oneof(
    { weight: 2, arbitrary: fc.constant<number[]>([]) },
    { weight: 1, arbitrary: fc.uniqueArray(fc.nat({ max: USERS + WITH_TWO - 1 }), { maxLength: 4 }) },
  ),
  killed: fc.uniqueArray(fc.nat({ max: 2 * CAMPAIGNS - 1 }), { maxLength: 2 }),
});
const caps = fc.array(
  fc.record<FrequencyCap>({ messages: fc.integer({ min: 1, max: 4 }), seconds: fc.constantFrom(30, 60, 120) }),
  { minLength: 1, maxLength: 3 },
);

/** Who got which message and when, as the vendor saw it. */
interface Sent {
  user: number;
  messageId: string;
  at: number;
}

describe('six campaigns at once over two workers', () => {
  const stage = usePageStage();

  it('never send a user more than the caps allow, and no less than they do where nothing failed', async () => {
    const devices = await stage.addDevices(USERS + WITH_TWO);
    await stage.ledger.run(
      `UPDATE installations SET user_id = 'user' || (substr(user_id, 5)::int - $1) WHERE substr(user_id, 5)::int > $1`,
      [USERS],
    );
    await fc.assert(
      fc.asyncProperty(caps, fc.array(round, { minLength: 1, maxLength: 4 }), async (frequencyCaps, rounds) => {
        await begin(frequencyCaps);
        const sent: Sent[] = [];
        for (const one of rounds) await play(one, frequencyCaps, sent, devices);
        for (let user = 0; user < USERS; user++)
          expectKept(
            frequencyCaps,
            sent.filter((entry) => entry.user === user),
          );
      }),
      { numRuns: 25 },
    );
  });

  async function begin(frequencyCaps: FrequencyCap[]): Promise<void> {
    stage.clock.advance(DAY_MS / 240);
    await emptyTables(
      { query: (text) => stage.ledger.run(text) },
      'user_contacts',
      'deliveries',
      'delivery_packs',
      'pages',
      'messages',
    );
    await stage.ledger.run('UPDATE applications SET frequency_caps = $1, contacts_since = $2', [
      JSON.stringify(frequencyCaps),
      new Date(stage.clock.now().getTime() - DAY_MS / 2),
    ]);
  }

  async function play(one: Round, frequencyCaps: FrequencyCap[], sent: Sent[], devices: DeviceId[]): Promise<void> {
    stage.clock.advance(one.afterSeconds * SECOND_MS);
    const at = stage.clock.now().getTime();
    const pages = (await Promise.all(one.audiences.map((audience) => pagesOf(audience, devices)))).flat();
    for (const page of one.killed) await kill(pages[page % pages.length] as PageKey, frequencyCaps);
    const failing = new Set(one.failing.map((device) => `t${device + 1}`));
    stage.sender.answer = (token) =>
      failing.has(token) ? { kind: 'request_invalid', code: 'BAD', reason: 'bad' } : accepted(token);
    const workers = [stage.worker({ instanceId: 'w1' }), stage.worker({ instanceId: 'w2' })];
    await Promise.all(pages.map((page, place) => runJob(workers[place % 2] as TestWorker, page)));
    // Work that a worker does after a page has ended would meet the emptying of the next run.
    await Promise.all(workers.map((worker) => worker.complete()));
    const before = sent.slice();
    sent.push(...(await sentBy(pages, at)));
    for (let user = 0; user < USERS; user++) {
      if (one.failing.some((device) => userOf(device) === user)) continue;
      const asked = one.audiences.filter((audience) => audience.includes(user)).length;
      const possible = Math.min(asked, ...frequencyCaps.map((cap) => cap.messages - countSince(before, user, at, cap)));
      const got = new Set(sent.slice(before.length).flatMap((entry) => (entry.user === user ? [entry.messageId] : [])))
        .size;
      expect(got).toBe(Math.max(0, possible));
    }
  }

  /** Tries a page until it no longer waits, as its job does: a worker may have no place for it for 1.5 s. */
  async function runJob(worker: TestWorker, page: PageKey): Promise<void> {
    while ((await worker.attempt('fcm', page))?.kind === 'waits');
  }

  /** A campaign: second devices are on a page of their own. */
  async function pagesOf(audience: number[], devices: DeviceId[]): Promise<PageKey[]> {
    const idOf = (device: number): DeviceId => devices[device] as DeviceId;
    const first = await stage.ledger.addMessage({
      devices: audience.map(idOf).toSorted(byNumber),
      acceptedAt: stage.clock.now(),
    });
    const second = audience.filter((user) => user < WITH_TWO).map((user) => idOf(USERS + user));
    return second.length === 0
      ? [first]
      : [first, await stage.ledger.addPage(first.messageId, second.toSorted(byNumber))];
  }

  /** A worker claims the page, counts it, and dies. */
  async function kill(key: PageKey, frequencyCaps: FrequencyCap[]): Promise<void> {
    const now = stage.clock.now();
    const claim = { leasedBy: 'killed', now, leaseUntil: now };
    const page = await new PagesRepository(stage.database.dataSource).claim(key, claim);
    if (page?.contactsSince == null) return;
    await new ContactsRepository(stage.database.dataSource).record({
      appId: APP_ID,
      messageId: key.messageId,
      devices: page.devices.map(({ id, userId }) => ({ id, userId: String(userId) })),
      frequencyCaps,
      isCapped: true,
      since: page.contactsSince,
      now,
    });
  }

  async function sentBy(pages: readonly PageKey[], at: number): Promise<Sent[]> {
    const devices = await stage.ledger.run<{ id: string; userId: string }>(
      `SELECT id::text, user_id AS "userId" FROM installations`,
    );
    const users = new Map(devices.map(({ id, userId }) => [id, Number(userId.slice(4)) - 1]));
    const messages = [...new Set(pages.map(({ messageId }) => messageId))];
    const sent = messages.map(async (messageId) => {
      const deliveries = await stage.ledger.deliveries(messageId);
      return deliveries.flatMap(({ device_id, state }) =>
        state === 'sent' ? [{ messageId, user: users.get(String(device_id)) ?? NaN, at }] : [],
      );
    });
    return (await Promise.all(sent)).flat();
  }
});

function userOf(device: number): number {
  return device < USERS ? device : device - USERS;
}

/** Counts how many different messages a user got within a cap's time. */
function countSince(sent: readonly Sent[], user: number, at: number, { seconds }: FrequencyCap): number {
  const lately = sent.filter((entry) => entry.user === user && entry.at > at - seconds * SECOND_MS);
  return new Set(lately.map(({ messageId }) => messageId)).size;
}

function expectKept(frequencyCaps: readonly FrequencyCap[], sent: readonly Sent[]): void {
  for (const cap of frequencyCaps)
    for (const { user, at } of sent)
      expect(
        countSince(
          sent.filter((entry) => entry.at <= at),
          user,
          at,
          cap,
        ),
      ).toBeLessThanOrEqual(cap.messages);
}

function byNumber(one: DeviceId, other: DeviceId): number {
  return Number(one) - Number(other);
}
