import { until } from '@postrider/testing';
import { Campaign } from '../support/campaign';
import type { CampaignStage } from './campaign-stage';

const DEVICES = 400;
const TEXTS: Record<string, string> = {
  default: 'Still here',
  fa: 'هنوز اینجا',
  'de-AT': 'Immer noch da, {{ user.id }}',
};

/** The stored values of one device and its user, and the language that follows from them. */
const SPEAKERS = [
  { locale: 'fa-IR', attribute: null, language: 'fa' },
  { locale: 'de_AT', attribute: 'fa', language: 'de-AT' },
  { locale: 'fr', attribute: 'FA', language: 'fa' },
  { locale: 'de', attribute: null, language: null },
] as const;

/** Each device gets its own language. */
export function languagesScenario(stage: () => CampaignStage): void {
  // Slow enough that a disturbance hits the middle of the campaign.
  beforeEach(() => stage().simulator.configure({ latencyMs: 50 }));

  /**
   * Gives every device one of the speakers. @returns the language of each device, by its token and by its installation
   */
  async function speak(
    appId: string,
  ): Promise<{ token: string; installationId: string; userId: string; language: string | null }[]> {
    const devices = await stage().query<{ token: string; installationId: string; userId: string }>(
      `WITH one AS (
         SELECT id, user_id, row_number() OVER (PARTITION BY user_id ORDER BY id) AS place, token, installation_id
         FROM installations WHERE app_id = $1
       )
       SELECT token, installation_id AS "installationId", user_id AS "userId" FROM one WHERE place = 1 ORDER BY id`,
      [appId],
    );
    await stage().query(`DELETE FROM installations WHERE app_id = $1 AND token <> ALL ($2)`, [
      appId,
      devices.map(({ token }) => token),
    ]);
    const speakers = devices.map((_, place) => SPEAKERS[place % SPEAKERS.length] ?? SPEAKERS[0]);
    await stage().query(
      `UPDATE installations i SET locale = s.locale FROM unnest($2::text[], $3::text[]) AS s (token, locale)
       WHERE i.app_id = $1 AND i.token = s.token`,
      [appId, devices.map(({ token }) => token), speakers.map(({ locale }) => locale)],
    );
    await stage().query(
      `INSERT INTO users (app_id, user_id, attributes)
       SELECT $1, user_id, jsonb_build_object('locale', locale) FROM unnest($2::text[], $3::text[]) AS u (user_id, locale)
       ON CONFLICT (app_id, user_id) DO UPDATE SET attributes = excluded.attributes`,
      [appId, devices.map(({ userId }) => userId), speakers.map(({ attribute }) => attribute)],
    );
    return devices.map((device, place) => ({ ...device, language: speakers[place]?.language ?? null }));
  }

  it('comes to every device in its own, also when a worker is killed among them, and each delivery names it', async () => {
    const server = await Campaign.prepare(stage().postrider, 'polyglot', DEVICES);
    const speakers = await speak('polyglot');
    expect(speakers.length).toBeGreaterThan(DEVICES / 4);
    const campaign = await Campaign.start('polyglot', server, {
      content: TEXTS.default,
      localized: { fa: { content: TEXTS.fa }, 'de-AT': { content: TEXTS['de-AT'] } },
    });
    await until(async () => (await stage().simulator.counts()).accepted > 20 && (true as const));
    stage().postrider.system.kill('delivery-worker');
    expect((await campaign.untilDone()).totals).toMatchObject({ sent: speakers.length, pending: 0, failed: 0 });

    for (const { token, userId, language } of speakers) {
      const text = TEXTS[language ?? 'default']?.replace('{{ user.id }}', userId);
      const bodies = await stage().simulator.inboxOf(token);
      expect(bodies.length).toBeGreaterThan(0);
      for (const { body } of bodies) expect(body).toBe(text);
    }
    const { body: listed } = await server.call<{ deliveries: { installationId: string; language: string | null }[] }>(
      'GET',
      `/api/push/messages/${campaign.id}/deliveries?limit=1000`,
    );
    const named = new Map(listed.deliveries.map(({ installationId, language }) => [installationId, language]));
    expect(named).toEqual(new Map(speakers.map(({ installationId, language }) => [installationId, language])));
  });
}
