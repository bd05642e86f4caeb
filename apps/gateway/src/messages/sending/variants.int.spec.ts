import { resolveSlice } from '@postrider/audience';
import type { JsonObject } from '@postrider/domain';
import { rows } from '@postrider/persistence';
import { addDevice, configureVendor, emptyTables, whileHolding } from '@postrider/testing';
import { startTestGateway, type TestAnswer, type TestGateway } from '../../testing/test-gateway';

const USERS = 40;
const VARIANTS = [
  { name: 'A', weight: 1, content: 'Hello' },
  { name: 'B', weight: 1, content: 'Hi', notification: { title: 'Now', vibrate: [1] } },
];
const WINNER = { metric: 'opened', after: 60, share: 50 };
const REFUSED: [what: string, field: object, path: string][] = [
  ['one variant', { variants: VARIANTS.slice(1) }, 'variants'],
  ['eleven variants', { variants: Array.from({ length: 11 }, (_, n) => ({ name: `${n}`, weight: 1 })) }, 'variants'],
  ['a variant without a name', { variants: [VARIANTS[0], { weight: 1 }] }, 'variants[1].name'],
  ['two variants of one name', { variants: [VARIANTS[0], VARIANTS[0]] }, 'variants[1].name'],
  ['a weight of nought', { variants: [VARIANTS[0], { name: 'B', weight: 0 }] }, 'variants[1].weight'],
  ['half a weight', { variants: [VARIANTS[0], { name: 'B', weight: 0.5 }] }, 'variants[1].weight'],
  [
    'a variant of a field that is not content',
    { variants: [VARIANTS[0], { name: 'B', weight: 1, ttl: 9 }] },
    'variants[1].ttl',
  ],
  [
    'a variant with a bad link',
    { variants: [VARIANTS[0], { name: 'B', weight: 1, notification: { clickUrl: 'javascript:1' } }] },
    'variants[1].notification.clickUrl',
  ],
  [
    'a variant with a bad template',
    { variants: [VARIANTS[0], { name: 'B', weight: 1, content: '{{ user.name' }] },
    'variants[1].content',
  ],
  [
    'a bad template in a language of a variant',
    { variants: [VARIANTS[0], { name: 'B', weight: 1, localized: { fa: { content: '{% if %}' } } }] },
    'variants[1].localized.fa.content',
  ],
  [
    'a variant that is too big',
    { variants: [VARIANTS[0], { name: 'B', weight: 1, data: 'x'.repeat(5_000) }] },
    'variants[1]',
  ],
  ['a winner without variants', { winner: WINNER }, 'winner'],
  ['a winner after the end', { variants: VARIANTS, ttl: 60, winner: WINNER }, 'winner'],
  ['a winner too soon', { variants: VARIANTS, winner: { ...WINNER, after: 59 } }, 'winner.after'],
  ['a winner too late', { variants: VARIANTS, winner: { ...WINNER, after: 604_801 } }, 'winner.after'],
  ['a share of all', { variants: VARIANTS, winner: { ...WINNER, share: 100 } }, 'winner.share'],
  ['another metric', { variants: VARIANTS, winner: { ...WINNER, metric: 'shown' } }, 'winner.metric'],
  ['a winner of what is for this moment', { variants: VARIANTS, live: true, winner: WINNER }, 'winner'],
];

describe('a send with variants', () => {
  let gateway: TestGateway;
  let token: string;

  beforeAll(async () => {
    gateway = await startTestGateway();
    token = await gateway.application('shop', ['send', 'read']);
    await configureVendor(gateway.database, 'shop', 'fcm');
    for (let n = 0; n < USERS; n++) await addDevice(gateway.database, { appId: 'shop', userId: `user-${n}` });
  });

  afterAll(() => gateway.close());
  beforeEach(() => emptyTables(gateway.database, 'messages', 'pages', 'deliveries'));

  const call = (method: 'GET' | 'POST' | 'PATCH', path: string, body?: unknown): Promise<TestAnswer> =>
    gateway.request(method, `/api/push/${path}${path.includes('?') ? '&' : '?'}access_token=${token}`, { body });
  const send = (endpoint: string, body: unknown): Promise<TestAnswer> => call('POST', endpoint, body);

  async function sendCampaign(body: object): Promise<string> {
    const { status, headers, body: answer } = await send('toUsers', { user: '*', trackId: 'spring', ...body });
    expect([status, answer]).toEqual([200, { count: expect.any(Number) as number }]);
    return String(headers['x-message-id']);
  }

  const resolve = (messageId: string): Promise<unknown> =>
    resolveSlice(gateway.database, {
      ...{ appId: 'shop', messageId, now: new Date(), windowSize: 1_000, sliceSize: 1_000, pageSize: 10 },
    });

  it.each([
    ['byQuery', { target: { deviceType: 'android' } }],
    ['toUsers', { user: '*' }],
    ['notifyUsers', { target: { deviceType: 'android' } }],
  ])('is stored as it was asked for, and needs no content beside that of its variants (%s)', async (endpoint, form) => {
    expect(await send(endpoint, { ...form, variants: VARIANTS, winner: WINNER })).toMatchObject({
      status: 200,
      body: { count: USERS },
    });
    const [message] = await rows<{ content: JsonObject }>(gateway.database, 'SELECT content FROM messages');
    expect(message?.content).toMatchObject({
      content: 'Hello',
      variants: [VARIANTS[0], { ...VARIANTS[1], notification: { title: 'Now', extra: { vibrate: [1] } } }],
      winner: { metric: 'opened', after: 60, share: 50 },
    });
  });

  it.each(['variants', 'winner'])('to users who are named is refused (%s)', async (name) => {
    const body = { content: 'Hello', variants: VARIANTS, winner: WINNER };
    const { status, body: answer } = await send('toUsers', { user: 'ada', ...body });
    expect(status).toBe(400);
    expect((answer as { error: { details: { path: string }[] } }).error.details).toContainEqual({
      ...{ path: name, message: 'is only for campaigns: byQuery, or user "*"' },
    });
  });

  it.each(REFUSED)('is refused with %s, and says where', async (_, fields, path) => {
    const answer = await send('toUsers', { user: '*', content: 'Hello', ...fields });
    expect(answer).toMatchObject({ status: 400, body: { error: { details: [{ path }] } } });
    expect(await rows(gateway.database, 'SELECT 1 FROM messages')).toEqual([]);
  });

  it('needs content where a variant has none', async () => {
    const answer = await send('toUsers', { user: '*', variants: [VARIANTS[0], { name: 'B', weight: 1 }] });
    expect(answer).toMatchObject({ status: 400, body: { error: { details: [{ path: 'content' }] } } });
  });

  it('is previewed variant by variant', async () => {
    const preview = (variant?: string): Promise<TestAnswer> =>
      send('preview', { user: 'user-1', content: 'Hello', variants: VARIANTS, ...(variant ? { variant } : {}) });
    const shown = (content: string): object => ({ body: { users: [{ devices: [{ content }] }] } });
    expect(await preview()).toMatchObject(shown('Hello'));
    expect(await preview('B')).toMatchObject(shown('Hi'));
    expect(await preview('C')).toMatchObject({ status: 400, body: { error: { details: [{ path: 'variant' }] } } });
  });

  it('is previewed in a language that only a variant has', async () => {
    const variants = [VARIANTS[0], { ...VARIANTS[1], localized: { fa: { content: 'سلام' } } }];
    const asked = { user: 'user-1', content: 'Hello', variants, variant: 'B', language: 'fa' };
    const shown = { users: [{ devices: [{ content: 'سلام', language: 'fa' }] }] };
    expect(await send('preview', asked)).toMatchObject({ status: 200, body: shown });
  });

  it('names the variant of each delivery, and says what became of each part', async () => {
    const id = await sendCampaign({ variants: VARIANTS, holdout: 20 });
    await resolve(id);
    await rows(
      gateway.database,
      `INSERT INTO deliveries (app_id, message_id, device_id, state, rank, vendor)
       SELECT 'shop', message_id, unnest(device_ids), 'opened', 6, 'fcm' FROM pages`,
    );
    await rows(gateway.database, `UPDATE pages SET state = 'finished', wake_at = NULL`);
    const { body } = await call('GET', `messages/${id}/deliveries?limit=200`);
    const { deliveries } = body as { deliveries: { variant: string | null; state: string }[] };
    const countOf = (variant: string | null): number => deliveries.filter((one) => one.variant === variant).length;
    expect(deliveries).toHaveLength(USERS);
    expect(deliveries.every(({ variant, state }) => (variant === null) === (state === 'skipped'))).toBe(true);
    const figures = (name: string): object => ({
      ...{
        name,
        weight: 1,
        isWinner: false,
        sent: countOf(name),
        delivered: countOf(name),
        opened: countOf(name),
        clicked: 0,
      },
      ...{ users: countOf(name), usersOpened: { users: countOf(name), share: 1, high: 1 } },
    });
    expect((await call('GET', `campaigns/${id}`)).body).toMatchObject({
      test: {
        variants: [figures('A'), figures('B')],
        all: { sent: countOf('A') + countOf('B') },
        holdout: { percent: 20, users: countOf(null) },
        winner: null,
        verdict: expect.stringContaining('Too few users') as string,
      },
    });
  });

  it('has its winner chosen by hand, once, from among its variants', async () => {
    const id = await sendCampaign({ variants: VARIANTS, winner: WINNER });
    await resolve(id);
    const choose = (variant: string, of = id): Promise<TestAnswer> => send(`campaigns/${of}/winner`, { variant });
    expect(await choose('C')).toMatchObject({ status: 400, body: { error: { details: [{ path: 'variant' }] } } });
    expect((await call('GET', `campaigns/${id}`)).body).toMatchObject({
      test: { winner: { variant: null, dueAt: expect.any(String) as string } },
    });
    expect(await choose('B')).toMatchObject({
      status: 200,
      body: { test: { winner: { metric: 'opened', variant: 'B', decidedBy: 'caller', dueAt: null } } },
    });
    expect(await choose('B')).toMatchObject({ status: 409 });
    expect(await choose('A')).toMatchObject({ status: 409 });
    expect(await choose('A', '0197aaaa-0000-7000-8000-000000000000')).toMatchObject({ status: 404 });
    expect(await choose('A', await sendCampaign({ variants: VARIANTS }))).toMatchObject({ status: 409 });
    const cancelled = await sendCampaign({ variants: VARIANTS, winner: WINNER });
    await send(`messages/${cancelled}/cancel`, {});
    expect(await choose('A', cancelled)).toMatchObject({ status: 409 });
  });

  it('can be edited until it leaves', async () => {
    const sendAt = new Date(Date.now() + 86_400_000).toISOString();
    const id = await sendCampaign({ variants: VARIANTS, winner: WINNER, sendAt });
    expect(await call('PATCH', `messages/${id}`, { ttl: 3_600 })).toMatchObject({ status: 200 });
    const [before] = await rows<{ content: JsonObject }>(gateway.database, 'SELECT content FROM messages');
    expect(before?.content).toMatchObject({ variants: [{ name: 'A' }, { notification: { extra: { vibrate: [1] } } }] });
    const variants = [VARIANTS[0], { name: 'C', weight: 2, content: 'Bye' }];
    expect(await call('PATCH', `messages/${id}`, { variants, winner: null })).toMatchObject({ status: 200 });
    const [after] = await rows<{ content: JsonObject }>(gateway.database, 'SELECT content FROM messages');
    expect(after?.content).toMatchObject({ variants });
    expect(after?.content).not.toHaveProperty('winner');
  });

  it('keeps the variant that was chosen as the winner before it left', async () => {
    const sendAt = new Date(Date.now() + 86_400_000).toISOString();
    const id = await sendCampaign({ variants: VARIANTS, winner: WINNER, sendAt });
    expect(await send(`campaigns/${id}/winner`, { variant: 'B' })).toMatchObject({ status: 200 });
    const others = [VARIANTS[0], { name: 'C', weight: 1, content: 'Bye' }];
    expect(await call('PATCH', `campaigns/${id}`, { variants: others })).toMatchObject({
      status: 400,
      body: { error: { details: [{ path: 'variants' }] } },
    });
    const changed = [{ name: 'B', weight: 1, content: 'Welcome' }, ...others];
    expect(await call('PATCH', `campaigns/${id}`, { variants: changed })).toMatchObject({ status: 200 });
    expect((await call('GET', `campaigns/${id}`)).body).toMatchObject({ test: { winner: { variant: 'B' } } });
  });

  it('has no winner that is not among its variants when both are changed at the same moment', async () => {
    const sendAt = new Date(Date.now() + 86_400_000).toISOString();
    const others = [VARIANTS[0], { name: 'C', weight: 1, content: 'Bye' }];
    const winnerOf = async (id: string): Promise<unknown> =>
      (await rows(gateway.database, 'SELECT winner_variant AS winner FROM messages WHERE id = $1', [id]))[0];

    const first = await sendCampaign({ variants: VARIANTS, winner: WINNER, sendAt });
    const choice = await whileHolding(
      gateway.database,
      (held) =>
        held.query(
          `UPDATE messages SET revision = 1, content = jsonb_set(content, '{variants}', $2::jsonb) WHERE id = $1`,
          [first, JSON.stringify(others)],
        ),
      () => send(`campaigns/${first}/winner`, { variant: 'B' }),
    );
    expect(choice).toMatchObject({ status: 400, body: { error: { details: [{ path: 'variant' }] } } });
    expect(await winnerOf(first)).toEqual({ winner: null });

    const second = await sendCampaign({ variants: VARIANTS, winner: WINNER, sendAt });
    const change = await whileHolding(
      gateway.database,
      (held) => held.query(`UPDATE messages SET winner_variant = 'B' WHERE id = $1`, [second]),
      () => call('PATCH', `campaigns/${second}`, { variants: others }),
    );
    expect(change).toMatchObject({ status: 400, body: { error: { details: [{ path: 'variants' }] } } });
    expect(await winnerOf(second)).toEqual({ winner: 'B' });
  });
});
