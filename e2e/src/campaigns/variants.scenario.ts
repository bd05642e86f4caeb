import { until } from '@postrider/testing';
import { Campaign, seedReachable } from '../support/campaign';
import type { MessageStatus } from '../support/message-status';
import type { CampaignStage } from './campaign-stage';

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

/** Variants, a holdout and a winner. */
export function variantsScenario(stage: () => CampaignStage): void {
  beforeEach(() => stage().simulator.configure({ latencyMs: 5, inboxSize: 10_000 }));

  it('gives a user the same on all devices, learns from what phones report, and sends the others the best, once', async () => {
    const { server, clientToken } = await stage().postrider.createApplication('tested');
    await seedReachable(stage().postrider.database.url, 'tested', DEVICES);
    const phones = await stage().query<Phone>(
      `SELECT token, installation_id AS "installationId", user_id AS "userId" FROM installations WHERE app_id = $1`,
      ['tested'],
    );
    await stage().simulator.setPhones({
      gateway: stage().postrider.system.gatewayUrl,
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
    await until(async () => {
      const { test } = await read();
      const [held] = await stage().query<{ open: string; held: string }>(
        `SELECT count(*) FILTER (WHERE waits_for IS NULL AND state <> 'finished') AS open,
           count(*) FILTER (WHERE waits_for = 'winner') AS held FROM pages WHERE message_id = $1`,
        [campaign.id],
      );
      return Number(held?.held) > 0 && Number(held?.open) === 0 && test.variants.every(({ sent }) => sent > 0);
    });

    // Users who got “urgent” open it.
    const texts = new Map<string, string>();
    for (const { token } of phones) {
      const [got] = await stage().simulator.inboxOf(token);
      if (!got) continue;
      texts.set(token, got.body);
      const { id } = got as unknown as { id: number };
      if (got.body === TEXTS.urgent) await stage().simulator.tap({ id, kind: 'OPENED' });
    }
    const urgent = [...texts.values()].filter((text) => text === TEXTS.urgent).length;
    const sentOf = (): Promise<number[]> => read().then(({ test }) => test.variants.map(({ sent }) => sent));
    await until(async () => (await sentOf()).reduce((sum, sent) => sum + sent) === texts.size);
    expect(await sentOf()).toEqual([texts.size - urgent, urgent]);
    await until(async () => ((await read()).totals.opened === urgent ? true : null));

    // The time has come; the process that chooses is killed at any moment.
    await stage().query(`UPDATE messages SET winner_due_at = now() WHERE id = $1`, [campaign.id]);
    stage().postrider.system.kill('audience-worker');
    stage().postrider.system.kill('delivery-worker');
    await campaign.untilDone();

    const { test, totals } = await read();
    expect(test.winner).toMatchObject({ variant: 'urgent', decidedBy: 'figures' });
    expect(test.verdict).toContain('“urgent” is better');
    const byUser = new Map<string, Set<string>>();
    let heldOut = 0;
    for (const { token, userId } of phones) {
      const got = await stage().simulator.inboxOf(token);
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
}
