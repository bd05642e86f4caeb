import { Client } from 'pg';
import { seedApplication } from '@postrider/tools/seed/seed-application';
import { until } from '@postrider/testing';
import { Campaign } from './support/campaign';
import type { MessageStatus } from './support/message-status';
import { type Postrider, startPostrider } from './support/postrider';
import { Simulator } from './support/simulator';

const DEVICES = 300;
const TEXTS = { plain: 'The sale begins', urgent: 'Today only' } as const;

interface Phone {
  token: string;
  installationId: string;
  userId: string;
}

interface TestedStatus extends MessageStatus {
  test: {
    variants: { name: string; isWinner: boolean; sent: number; opened: number; usersOpened: { users: number } }[];
    holdout: { users: number };
    winner: { variant: string | null; decidedBy: string | null };
    verdict: string;
  };
}

describe('a campaign with variants, a holdout and a winner', () => {
  let postrider: Postrider;
  let simulator: Simulator;

  beforeAll(async () => {
    postrider = await startPostrider({ DELIVERY_CONCURRENCY: '50' });
    simulator = new Simulator(postrider.system.simulatorUrl);
    await simulator.configure({ latencyMs: 5, countedTokens: 10_000, inboxSize: 10_000 });
  });
  afterAll(() => postrider.stop());

  async function query<Row extends object>(text: string, values: unknown[]): Promise<Row[]> {
    const client = new Client({ connectionString: postrider.database.url });
    await client.connect();
    try {
      return (await client.query<Row>(text, values)).rows;
    } finally {
      await client.end();
    }
  }

  async function put(path: string, body: object): Promise<void> {
    const answer = await fetch(`${postrider.system.simulatorUrl}${path}`, {
      method: 'PUT',
      body: JSON.stringify(body),
      headers: { 'content-type': 'application/json' },
    });
    if (!answer.ok) throw new Error(`${path}: ${answer.status} ${await answer.text()}`);
  }

  it('gives a user the same on all devices, learns from what phones report, and sends the others the best, once', async () => {
    const { server, clientToken } = await postrider.createApplication('tested');
    const seed = { appId: 'tested', devices: DEVICES, mix: { fcm: 1 }, reachable: true };
    await seedApplication(postrider.database.url, seed);
    const phones = await query<Phone>(
      `SELECT token, installation_id AS "installationId", user_id AS "userId" FROM installations WHERE app_id = $1`,
      ['tested'],
    );
    await put('/phones', {
      gateway: postrider.system.gatewayUrl,
      accessToken: clientToken,
      phones,
      react: false,
    });
    const campaign = await Campaign.start('tested', server, {
      content: undefined,
      holdout: 10,
      variants: Object.entries(TEXTS).map(([name, content]) => ({ name, weight: 1, content })),
      winner: { metric: 'opened', after: 3_600, share: 40 },
    });
    const read = async (): Promise<TestedStatus> =>
      (await server.find<TestedStatus>(`/api/push/campaigns/${campaign.id}`)) as TestedStatus;
    const waiting = await until(async () => {
      const [held] = await query<{ open: string; held: string }>(
        `SELECT count(*) FILTER (WHERE waits_for IS NULL AND state <> 'finished') AS open,
           count(*) FILTER (WHERE waits_for = 'winner') AS held FROM pages WHERE message_id = $1`,
        [campaign.id],
      );
      if (Number(held?.held) === 0 || Number(held?.open) > 0) return null;
      // Read behind the pages: before, some of them were still being sent.
      const { test } = await read();
      return test.variants.every(({ sent }) => sent > 0) ? test : null;
    });

    // Who got “urgent” opens it.
    const texts = new Map<string, string>();
    for (const { token } of phones) {
      const [got] = await simulator.inboxOf(token);
      if (!got) continue;
      texts.set(token, got.body);
      const { id } = got as unknown as { id: number };
      if (got.body === TEXTS.urgent) await put('/taps', { id, kind: 'OPENED' });
    }
    const urgent = [...texts.values()].filter((text) => text === TEXTS.urgent).length;
    expect(waiting.variants.map(({ sent }) => sent)).toEqual([texts.size - urgent, urgent]);
    await until(async () => ((await read()).totals.opened === urgent ? true : null));

    // It is time; whoever chooses is killed at any moment.
    await query(`UPDATE messages SET winner_due_at = now() WHERE id = $1`, [campaign.id]);
    postrider.system.kill('audience-worker');
    postrider.system.kill('delivery-worker');
    await campaign.untilDone();

    const { test, totals } = await read();
    expect(test.winner).toMatchObject({ variant: 'urgent', decidedBy: 'figures' });
    expect(test.verdict).toContain('“urgent” is better');
    const byUser = new Map<string, Set<string>>();
    let heldOut = 0;
    for (const { token, userId } of phones) {
      const got = await simulator.inboxOf(token);
      if (got.length === 0) heldOut += 1;
      for (const { body } of got) byUser.set(userId, (byUser.get(userId) ?? new Set()).add(body));
      const first = texts.get(token);
      for (const { body } of got) expect(body).toBe(first ?? TEXTS.urgent);
    }
    expect([...byUser.values()].every((bodies) => bodies.size === 1)).toBe(true);
    expect(totals.skipped).toBe(heldOut);
    expect(new Set(phones.filter(({ userId }) => !byUser.has(userId)).map(({ userId }) => userId)).size).toBe(
      test.holdout.users,
    );
  });
});
