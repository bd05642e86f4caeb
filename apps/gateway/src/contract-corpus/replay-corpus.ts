import { rows, SEAL_CONTEXTS } from '@postrider/persistence';
import { TEST_ADMIN_TOKEN, type TestAnswer, type TestGateway } from '../testing/test-gateway';
import type { CorpusCase } from './corpus-case';
import { type RecordedAnswer, recordedAnswer } from './recorded-answer';
import { CLOCK, SecretBox } from '@postrider/platform';
import { createHmac, generateKeyPairSync } from 'node:crypto';
import { type Clock, DAY_MS, HOUR_MS } from '@postrider/domain';
import { digestOf } from './seeded-choice';

/**
 * What every application of the corpus has. The ids are equal in each, except those that are unique among all
 * applications.
 */
export const KNOWN = {
  installation: '01932c5e-7f7a-7c3e-8a3b-000000000001',
  segment: '01932c5e-7f7a-7c3e-8a3b-000000000002',
  promoSet: '01932c5e-7f7a-7c3e-8a3b-000000000003',
  draft: '01932c5e-7f7a-7c3e-8a3b-000000000004',
  template: '01932c5e-7f7a-7c3e-8a3b-000000000005',
  other: '01932c5e-7f7a-7c3e-8a3b-0000000000ff',
};

/** The key that proves the users of every application. */
const IDENTITY_KEY = 'identity-key-of-the-corpus';

/** The answers that a recording has of the cases, by operation and name. */
type Recording = ReadonlyMap<string, RecordedAnswer>;

/**
 * The application that a case is sent to: one of its own, so that no case sees what another one left. All that read share one, and so
 * do all that were refused when they were recorded: neither leaves anything.
 */
function applicationOf({ operation, name }: CorpusCase, recording: Recording): string {
  if (operation.startsWith('GET ')) return 'reader';
  const isRefused = (recording.get(`${operation} ${name}`)?.status ?? 0) >= 400;
  return `c${digestOf(isRefused ? 'refused' : `${operation} ${name}`)}`;
}

/** The tracker of an application. Links name no application, so its id is unique among all. */
function trackerOf(appId: string): string {
  return `tr${appId}`;
}

/** Fills in the texts in angle brackets. */
export class FillIn {
  readonly #always: Record<string, string>;

  /**
   * @param known further values, such as the id of a message that was sent
   * @param clock the gateway's: times are before and after its now
   */
  constructor(known: Readonly<Record<string, string>>, clock: Clock) {
    const at = (time: number): string => new Date(time).toISOString();
    const now = clock.now().getTime();
    const thisHour = now - (now % HOUR_MS);
    const tomorrow = at(now + DAY_MS);
    this.#always = {
      ...KNOWN,
      ...known,
      proof: createHmac('sha256', IDENTITY_KEY).update('ada').digest('hex'),
      'hour before': at(thisHour - 2 * HOUR_MS),
      'last hour': at(thisHour - HOUR_MS),
      'half past': at(thisHour - HOUR_MS / 2),
      yesterday: at(now - DAY_MS).slice(0, 10),
      tomorrow,
      'tomorrow local': tomorrow.slice(0, 19),
      'rsa key': generateKeyPairSync('rsa', { modulusLength: 2048 }).privateKey.export(PEM).toString(),
      'ec key': generateKeyPairSync('ec', { namedCurve: 'P-256' }).privateKey.export(PEM).toString(),
    };
  }

  /** @param own values of this case only */
  into(text: string, own: Readonly<Record<string, string>>): string {
    return text.replaceAll(/<([a-zA-Z ]+)>/g, (whole, name: string) => {
      const value = own[name] ?? this.#always[name];
      return value === undefined ? whole : JSON.stringify(value).slice(1, -1);
    });
  }
}

const PEM = { type: 'pkcs8', format: 'pem' } as const;

/** The age of the user's installation and of everything else, independent of the clock. */
const THEN = '2026-01-01T00:00:00Z';

const STATEMENTS = [
  `INSERT INTO applications (app_id, name, identity_key_sealed)
     SELECT app_id, app_id, sealed FROM unnest($1::text[], $2::bytea[]) AS given (app_id, sealed)`,
  `INSERT INTO users (app_id, user_id, tags, attributes) SELECT app_id, 'ada', '{a}', '{"phone":"+31612345678"}' FROM unnest($1::text[]) AS app_id`,
  `INSERT INTO installations (app_id, installation_id, user_id, device_type, push_type, token, tags, channels, launch_time, install_date)
     SELECT app_id, '${KNOWN.installation}', 'ada', 'android', 'fcm', 'seeded', '{a}', '{public/sport}', '${THEN}', '${THEN}'
     FROM unnest($1::text[]) AS app_id`,
  `INSERT INTO vendor_credentials (app_id, vendor, settings, sealed)
     SELECT app_id, 'fcm', '{}', '' FROM unnest($1::text[]) AS app_id`,
  `INSERT INTO campaigns (app_id, track_id, campaign_id) SELECT app_id, 't', '${KNOWN.promoSet}' FROM unnest($1::text[]) AS app_id`,
  `INSERT INTO segments (app_id, segment_id, name, target)
     SELECT app_id, '${KNOWN.segment}', 'seeded', '{"deviceType":"android"}' FROM unnest($1::text[]) AS app_id`,
  `INSERT INTO drafts (app_id, draft_id, name, message, revision, created_at, updated_at)
     SELECT app_id, '${KNOWN.draft}', 'seeded', '{}', 1, '${THEN}', '${THEN}' FROM unnest($1::text[]) AS app_id`,
  `INSERT INTO templates (app_id, template_id, name, version, created_at)
     SELECT app_id, '${KNOWN.template}', 'seeded', 1, '${THEN}' FROM unnest($1::text[]) AS app_id`,
  `INSERT INTO template_versions (app_id, template_id, version, message, variables, created_at)
     SELECT app_id, '${KNOWN.template}', 1, '{"content":"{{ variables.a }}"}', '[{"name":"a","required":true}]', '${THEN}'
     FROM unnest($1::text[]) AS app_id`,
  `INSERT INTO promo_sets (app_id, set_id, track_id, state, total, remaining, created_at, in_force_at)
     SELECT app_id, '${KNOWN.promoSet}', 't', 'in_force', 10, 10, '${THEN}', '${THEN}' FROM unnest($1::text[]) AS app_id`,
];
const TRACKERS = `INSERT INTO trackers (app_id, tracker_id, name, destination, created_at, updated_at)
  SELECT app_id, tracker_id, 'seeded', 'https://shop.example/', '${THEN}', '${THEN}'
  FROM unnest($1::text[], $2::text[]) AS given (app_id, tracker_id)`;

/**
 * Makes equal applications: each with a user, their device, a vendor, a campaign, a segment, a draft, a template, a
 * promo set and a link.
 */
async function seedApplications({ app, database }: TestGateway, appIds: readonly string[]): Promise<void> {
  const box = app.get(SecretBox);
  const [applications = '', ...others] = STATEMENTS;
  await rows(database, applications, [
    appIds,
    appIds.map((appId) => box.seal(IDENTITY_KEY, SEAL_CONTEXTS.identityKey(appId))),
  ]);
  for (const statement of others) await rows(database, statement, [appIds]);
  await rows(database, TRACKERS, [appIds, appIds.map(trackerOf)]);
}

const AT_A_TIME = 4;
/** How often a request is sent that finds the gateway too busy. */
const MOST_TRIES = 100;
const OPERATOR = { 'x-access-token': TEST_ADMIN_TOKEN };

/**
 * Sends a corpus to a gateway and notes what it answers.
 *
 * @param recording what was answered before; empty: everything is recorded anew
 * @returns the answers, in the order of the cases
 */
export async function replayCorpus(
  gateway: TestGateway,
  cases: readonly CorpusCase[],
  recording: Recording,
): Promise<RecordedAnswer[]> {
  const appIds = new Map(cases.map((one) => [one, applicationOf(one, recording)]));
  await seedApplications(gateway, [...new Set([...appIds.values(), 'reader'])]);
  const sent = await gateway.request('POST', '/apps/reader/api/push/toUsers', {
    headers: OPERATOR,
    body: { user: 'ada', content: 'x', trackId: 't' },
  });
  const replay = new Replay(
    gateway,
    new FillIn({ message: String(sent.headers['x-message-id']) }, gateway.app.get(CLOCK)),
  );
  const answers = new Map<CorpusCase, RecordedAnswer>();
  const byOperation = new Map<string, CorpusCase[]>();
  for (const one of cases) byOperation.set(one.operation, [...(byOperation.get(one.operation) ?? []), one]);
  const operations = [...byOperation.values()];
  // The cases of an operation run one after the other, because cases that must not make the same thing twice need one
  // order.
  const worker = async (): Promise<void> => {
    for (let group = operations.shift(); group; group = operations.shift()) {
      for (const one of group) answers.set(one, await replay.answerTo(one, appIds.get(one) ?? ''));
    }
  };
  await Promise.all(Array.from({ length: AT_A_TIME }, worker));
  return cases.map((one) => answers.get(one) as RecordedAnswer);
}

class Replay {
  readonly #webhooks = new Map<string, Promise<string>>();

  constructor(
    private readonly gateway: TestGateway,
    private readonly fillIn: FillIn,
  ) {}

  async answerTo(one: CorpusCase, appId: string): Promise<RecordedAnswer> {
    const own: Record<string, string> = { case: appId, tracker: trackerOf(appId) };
    if (one.url.includes('<webhook>')) own.webhook = await this.#webhookOf(appId);
    const path = this.fillIn.into(one.url, own);
    const url = path.startsWith('/admin/') ? `/api${path}` : `/apps/${appId}/api${path}`;
    const ask = (): Promise<TestAnswer> =>
      this.gateway.request(one.operation.split(' ')[0] as string, url, {
        headers: { ...OPERATOR, ...one.headers },
        ...(one.body === undefined ? {} : { body: this.fillIn.into(one.body, own) }),
      });
    let answer = await ask();
    for (let tries = 1; isTooBusy(answer) && tries < MOST_TRIES; tries++) answer = await ask();
    await this.#forget(one, answer);
    return recordedAnswer(answer, appId);
  }

  /** One for all cases of an application, which may not have many. */
  #webhookOf(appId: string): Promise<string> {
    const made = this.#webhooks.get(appId) ?? this.#makeWebhook(appId);
    this.#webhooks.set(appId, made);
    return made;
  }

  async #makeWebhook(appId: string): Promise<string> {
    const answer: TestAnswer = await this.gateway.request('POST', `/apps/${appId}/api/webhooks`, {
      headers: OPERATOR,
      body: { url: 'https://hooks.example/', events: ['message.done'] },
    });
    return (answer.body as { id: string }).id;
  }

  /** Deletes an application that a case made, because the next case makes it too. */
  async #forget({ operation }: CorpusCase, answer: TestAnswer): Promise<void> {
    if (operation !== 'POST /api/admin/apps' || answer.status !== 201) return;
    const { id } = answer.body as { id: string };
    await rows(this.gateway.database, `DELETE FROM applications WHERE app_id = $1`, [id]);
  }
}

/** Members that an answer leaves out (null) if counting them takes longer than it waits. */
const COUNTED = ['sends', 'devices', 'skips', 'unprovedDevices'];

/**
 * True for the answers of a gateway on a busy machine: it had no turn for a count, ended one that took too long, or
 * left something out that is being counted. A caller is to ask again.
 */
function isTooBusy({ status, body }: TestAnswer): boolean {
  const members = (body ?? {}) as Record<string, unknown>;
  if (status === 200) return COUNTED.some((member) => members[member] === null);
  return status === 429 || (members.error as { name?: string } | undefined)?.name === 'AudienceTooCostly';
}
