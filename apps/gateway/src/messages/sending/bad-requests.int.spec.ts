import type { ErrorDetail } from '@postrider/domain';
import { rows } from '@postrider/persistence';
import { type BadRequest, badRequests } from '../../testing/bad-requests';
import { startTestGateway, type TestGateway } from '../../testing/test-gateway';

describe('bad requests', () => {
  let gateway: TestGateway;
  let token: string;

  beforeAll(async () => {
    gateway = await startTestGateway();
    token = await gateway.application('shop', ['send']);
  });

  afterAll(() => gateway.close());

  async function wrongly({ endpoint, body, path }: BadRequest): Promise<unknown> {
    const answer = await gateway.request('POST', `/api/push/${endpoint}?access_token=${token}`, {
      body: body === 'text' ? '"text"' : JSON.stringify(body),
    });
    const details = (answer.body?.error?.details ?? []) as ErrorDetail[];
    const isRefused = answer.status === 400 && answer.body.error.code === 'INVALID_REQUEST';
    if (isRefused && details.some((detail) => detail.path === path)) return undefined;
    return { endpoint, body: JSON.stringify(body)?.slice(0, 200), path, status: answer.status, answer: answer.body };
  }

  it('are refused one and all, each for the field that is wrong, and write nothing', async () => {
    const requests = badRequests();
    const wrong: unknown[] = [];
    for (let from = 0; from < requests.length; from += 20) {
      wrong.push(
        ...(await Promise.all(requests.slice(from, from + 20).map(wrongly))).filter((answer) => answer !== undefined),
      );
    }
    expect(wrong).toEqual([]);
    expect(requests.length).toBeGreaterThan(600);
    expect(await rows(gateway.database, 'SELECT id FROM messages')).toEqual([]);
    expect(await rows(gateway.database, 'SELECT id FROM pages')).toEqual([]);
  });

  it("name every bad field at once, in the caller's own names", async () => {
    const answer = await gateway.request('POST', `/api/push/toUsers?access_token=${token}`, {
      body: [
        { user: 'ada', content: 'Hello' },
        { user: '', content: 1, ttl: -1, notification: { clickUrl: 'javascript:x', actions: [{ options: 9 }] } },
      ],
    });
    expect(answer.body.error.details.map(({ path }: ErrorDetail) => path).sort()).toEqual([
      '[1].content',
      '[1].notification.actions[0].options',
      '[1].notification.clickUrl',
      '[1].notification.title',
      '[1].ttl',
      '[1].user',
    ]);
  });

  it('name every bad field at once also when one holds what no text may, or a number that JSON cannot hold', async () => {
    const [bad, rest] = ['"content":"a\\u0000b","channel":"a b","ttl":-1', '"notification":{"title":"\\ud800"}'];
    for (const [endpoint, who, path] of [
      ['toUsers', '"user":"a\\u0000"', 'user'],
      ['byQuery', '"target":{"deviceType":"\\ud800"}', 'target.deviceType'],
      ['notifyUsers', '"users":["\\ud800"]', 'users[0]'],
      ['preview', '"users":["\\ud800"]', 'users[0]'],
    ]) {
      const body = `{${who},${bad},${rest},"data":{"ids":[1,9007199254740993]}}`;
      const answer = await gateway.request('POST', `/api/push/${endpoint}?access_token=${token}`, { body });
      expect(answer.status).toBe(400);
      expect(answer.body.error.details.map((detail: ErrorDetail) => detail.path).sort()).toEqual(
        [path, 'content', 'channel', 'ttl', 'notification.title', 'data.ids[1]'].sort(),
      );
    }
  });

  it.each([
    ['{"user":"ada","content":', ''],
    ['{"user":"ada",content:"x"}', ''],
    ['', ''],
    ['{"user":"ada","content":"a\\u0000b"}', 'content'],
    ['{"user":"ada","content":"a\\ud800b"}', 'content'],
    ['{"user":"ada","content":"x","data":{"n":1e999}}', 'data.n'],
    ['{"user":"ada","content":"x","data":{"n":9007199254740993}}', 'data.n'],
    ['[{"user":"ada","content":"x"},{"user":"ada","content":"x","data":[-12345678901234567]}]', '[1].data[0]'],
    ['{"user":"ada","content":"x","data":{"\\u005f_proto__":1}}', 'data.__proto__'],
    [`{"user":"ada","content":"x","data":${'['.repeat(40)}${']'.repeat(40)}}`, `data${'[0]'.repeat(31)}`],
  ])('are told where %s goes wrong', async (body, path) => {
    const answer = await gateway.request('POST', `/api/push/toUsers?access_token=${token}`, { body });
    expect(answer).toMatchObject({ status: 400, body: { error: { code: 'INVALID_REQUEST', details: [{ path }] } } });
  });

  it('are told where 10,000 messages go wrong', async () => {
    const body = Array.from({ length: 10_000 }, (_, index) => ({
      user: `u${index}`,
      content: index === 9_999 ? 1 : 'x',
    }));
    const answer = await gateway.request('POST', `/api/push/toUsers?access_token=${token}`, { body });
    expect(answer.body.error.details).toEqual([{ path: '[9999].content', message: expect.any(String) }]);
  });

  it('are refused when they name more users or messages than allowed', async () => {
    const small = await startTestGateway({ maxUsers: 2, maxMessages: 2 });
    const key = await small.application('shop', ['send']);
    const message = { user: 'ada', content: 'x' };
    for (const [body, path] of [
      [{ users: ['a', 'b', 'c'], content: 'x' }, 'users'],
      [[message, message, message], ''],
    ]) {
      const answer = await small.request('POST', `/api/push/toUsers?access_token=${key}`, { body });
      expect(answer).toMatchObject({ status: 400, body: { error: { details: [{ path }] } } });
    }
    await small.close();
  });
});
