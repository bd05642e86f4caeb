import { rows } from '@postrider/persistence';
import { TEST_ADMIN_TOKEN, type TestAnswer, type TestGateway } from '../testing/test-gateway';
import type { CorpusCase } from './corpus-case';
import { applicationOf, FillIn, trackerOf } from './fill-in';
import { type RecordedAnswer, recordedAnswer } from './recorded-answer';
import { seedApplications } from './seed-applications';

const AT_A_TIME = 4;
const OPERATOR = { 'x-access-token': TEST_ADMIN_TOKEN };

/** Sends a corpus to a gateway and notes what it answers. @returns the answers, in the order of the cases */
export async function replayCorpus(gateway: TestGateway, cases: readonly CorpusCase[]): Promise<RecordedAnswer[]> {
  await seedApplications(gateway, [...new Set([...cases.map(applicationOf), 'reader'])]);
  const sent = await gateway.request('POST', '/apps/reader/api/push/toUsers', {
    headers: OPERATOR,
    body: { user: 'ada', content: 'x', trackId: 't' },
  });
  const replay = new Replay(gateway, new FillIn({ message: String(sent.headers['x-message-id']) }));
  const answers = new Map<CorpusCase, RecordedAnswer>();
  const byOperation = new Map<string, CorpusCase[]>();
  for (const one of cases) byOperation.set(one.operation, [...(byOperation.get(one.operation) ?? []), one]);
  const operations = [...byOperation.values()];
  // The cases of an operation go one after the other: those that must not make the same thing twice come in one order.
  const worker = async (): Promise<void> => {
    for (let group = operations.shift(); group; group = operations.shift()) {
      for (const one of group) answers.set(one, await replay.answerTo(one));
    }
  };
  await Promise.all(Array.from({ length: AT_A_TIME }, worker));
  return cases.map((one) => answers.get(one) as RecordedAnswer);
}

class Replay {
  constructor(
    private readonly gateway: TestGateway,
    private readonly fillIn: FillIn,
  ) {}

  async answerTo(one: CorpusCase): Promise<RecordedAnswer> {
    const appId = applicationOf(one);
    const own: Record<string, string> = { case: appId, tracker: trackerOf(appId) };
    if (one.url.includes('<webhook>')) own.webhook = await this.#webhookOf(appId);
    const path = this.fillIn.into(one.url, own);
    const url = path.startsWith('/admin/') ? `/api${path}` : `/apps/${appId}/api${path}`;
    const answer = await this.gateway.request(one.operation.split(' ')[0] as string, url, {
      headers: { ...OPERATOR, ...one.headers },
      ...(one.body === undefined ? {} : { body: this.fillIn.into(one.body, own) }),
    });
    await this.#forget(one, answer);
    return recordedAnswer(answer, appId);
  }

  async #webhookOf(appId: string): Promise<string> {
    const answer: TestAnswer = await this.gateway.request('POST', `/apps/${appId}/api/webhooks`, {
      headers: OPERATOR,
      body: { url: 'https://hooks.example/', events: ['message.done'] },
    });
    return (answer.body as { id: string }).id;
  }

  /** An application that a case made would be in the way of the next one's. */
  async #forget({ operation }: CorpusCase, answer: TestAnswer): Promise<void> {
    if (operation !== 'POST /api/admin/apps' || answer.status !== 201) return;
    const { id } = answer.body as { id: string };
    await rows(this.gateway.database, `DELETE FROM applications WHERE app_id = $1`, [id]);
  }
}
