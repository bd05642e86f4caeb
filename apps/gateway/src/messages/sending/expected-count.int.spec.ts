import { rows } from '@postrider/persistence';
import { addDevice, configureVendor, emptyTables } from '@postrider/testing';
import { startTestGateway, type TestAnswer, type TestGateway } from '../../testing/test-gateway';

const TOMORROW = new Date(Date.now() + 86_400_000).toISOString();

const FORMS: [name: string, endpoint: string, body: object][] = [
  ['one user', 'toUsers', { user: 'ada' }],
  ['one user and a fallback', 'toUsers', { user: 'ada', fallback: { content: 'Hi' } }],
  ['several users', 'toUsers', { users: ['ada', 'nobody'] }],
  ['one user later', 'toUsers', { user: 'ada', sendAt: TOMORROW }],
  ['everybody on a channel', 'toUsers', { user: '*' }],
  ['a target', 'byQuery', { target: { tags: 'vip' } }],
  ['a segment', 'byQuery', { segment: { all: [{ name: 'tags', operator: 'include', value: ['vip'] }] } }],
  ['users by vendor push', 'notifyUsers', { user: 'ada' }],
  ['a group by vendor push', 'notifyUsers', { target: { tags: 'vip' } }],
];
/** How many devices each form reaches. */
const COUNT = 3;

describe('a send with an expected count', () => {
  let gateway: TestGateway;
  let token: string;

  beforeAll(async () => {
    gateway = await startTestGateway();
    token = await gateway.application('shop', ['send']);
    await configureVendor(gateway.database, 'shop', 'fcm');
    for (let n = 0; n < COUNT; n++) await addDevice(gateway.database, { appId: 'shop', userId: 'ada', tags: ['vip'] });
  });

  afterAll(() => gateway.close());
  beforeEach(() => emptyTables(gateway.database, 'messages', 'pages', 'deliveries', 'fallbacks', 'idempotency_keys'));

  function send(endpoint: string, body: unknown, query = '', headers = {}): Promise<TestAnswer> {
    return gateway.request('POST', `/api/push/${endpoint}?access_token=${token}${query}`, { body, headers });
  }

  /** Returns the number of rows that acceptance writes. */
  async function written(): Promise<number> {
    const tables = ['messages', 'pages', 'deliveries', 'fallbacks', 'idempotency_keys'];
    const counts = tables.map((table) => `(SELECT count(*) FROM ${table})`).join(' + ');
    const [row] = await rows<{ sum: number }>(gateway.database, `SELECT (${counts})::integer AS sum`);
    return row?.sum ?? -1;
  }

  const changed = (count: number, ...paths: string[]): object => ({
    status: 409,
    body: { error: { code: 'AUDIENCE_CHANGED', count, details: paths.map((path) => ({ path })) } },
  });

  describe.each(FORMS)('to %s', (_, endpoint, form) => {
    const body = { content: 'Hello', ...form };

    it('is carried out when the count is the expected one', async () => {
      const asExpected = { ...body, expectedCount: COUNT, expectedCountTolerance: 0 };
      expect(await send(endpoint, asExpected, '&dryRun=true')).toMatchObject({ status: 200, body: { count: COUNT } });
      expect(await written()).toBe(0);
      expect(await send(endpoint, asExpected)).toMatchObject({ status: 200, body: { count: COUNT } });
      expect(await rows(gateway.database, 'SELECT content FROM messages')).toEqual([
        { content: expect.not.objectContaining({ extra: expect.anything() }) as unknown },
      ]);
    });

    it('writes nothing when the count is another, and a dry run answers the same', async () => {
      const tooMany = { ...body, expectedCount: COUNT + 1 };
      expect(await send(endpoint, tooMany, '&dryRun=true')).toMatchObject(changed(COUNT, 'expectedCount'));
      expect(await send(endpoint, tooMany)).toMatchObject(changed(COUNT, 'expectedCount'));
      expect(await written()).toBe(0);
    });

    it('does not use its idempotency key up, and a repeated request is answered as before whatever the count is then', async () => {
      const headers = { 'idempotency-key': 'once' };
      expect(await send(endpoint, { ...body, expectedCount: 0 }, '', headers)).toMatchObject(
        changed(COUNT, 'expectedCount'),
      );
      const corrected = { ...body, expectedCount: COUNT };
      expect(await send(endpoint, corrected, '', headers)).toMatchObject({ status: 200, body: { count: COUNT } });
      await rows(gateway.database, `UPDATE installations SET token_status = 'DENIED'`);
      expect(await send(endpoint, corrected, '', headers)).toMatchObject({
        status: 200,
        body: { count: COUNT },
        headers: { 'idempotent-replayed': 'true' },
      });
      expect(await rows(gateway.database, 'SELECT 1 FROM messages')).toHaveLength(1);
      await rows(gateway.database, `UPDATE installations SET token_status = NULL`);
    });
  });

  it('allows a share of the expected count, by default two percent', async () => {
    // An application of its own: others send to everybody.
    const large = await gateway.application('large', ['send']);
    await configureVendor(gateway.database, 'large', 'fcm');
    for (let n = 0; n < 50; n++) await addDevice(gateway.database, { appId: 'large', userId: 'ada' });
    const dryRun = (fields: object): Promise<TestAnswer> =>
      gateway.request('POST', `/api/push/toUsers?access_token=${large}&dryRun=true`, {
        body: { users: ['ada'], content: 'x', ...fields },
      });
    const statuses = async (tolerance: object, counts: number[]): Promise<number[]> => {
      const answers: number[] = [];
      // A third dry run at a time would be refused if the first two took long.
      for (const expectedCount of counts) answers.push((await dryRun({ expectedCount, ...tolerance })).status);
      return answers;
    };
    // Two per cent of 51 are one whole device, of 49 none.
    expect(await statuses({}, [49, 50, 51, 52])).toEqual([409, 200, 200, 409]);
    expect(await statuses({ expectedCountTolerance: 0.1 }, [45, 46, 55, 56])).toEqual([409, 200, 200, 409]);
    expect(await statuses({ expectedCountTolerance: null }, [49, 50])).toEqual([409, 200]);
    expect(await statuses({ expectedCountTolerance: '1' }, [25, 50, 1_000])).toEqual([200, 200, 200]);
    expect(await statuses({ expectedCountTolerance: 1 }, [24])).toEqual([409]);
  });

  it('belongs to an element of an array: one outside, and nothing of the array is sent', async () => {
    const element = (user: string, fields: object): object => ({ user, content: 'x', ...fields });
    const array = [
      element('ada', { expectedCount: COUNT }),
      element('nobody', { expectedCount: 5 }),
      element('ada', {}),
      element('ada', { expectedCount: 1 }),
    ];
    const refused = changed(0, '[1].expectedCount', '[3].expectedCount');
    expect(await send('toUsers', array, '&dryRun=true')).toMatchObject(refused);
    expect(await send('toUsers', array)).toMatchObject(refused);
    expect(await written()).toBe(0);
    const good = [array[0], element('nobody', { expectedCount: 0 }), array[2]];
    expect(await send('toUsers', good)).toMatchObject({ status: 200, body: { count: 2 * COUNT } });
  });

  it.each([
    [{ expectedCount: -1 }, 'expectedCount'],
    [{ expectedCount: 1.5 }, 'expectedCount'],
    [{ expectedCount: 'many' }, 'expectedCount'],
    [{ expectedCount: 1, expectedCountTolerance: 1.01 }, 'expectedCountTolerance'],
    [{ expectedCount: 1, expectedCountTolerance: -0.1 }, 'expectedCountTolerance'],
    [{ expectedCountTolerance: 0.1 }, 'expectedCountTolerance'],
  ])('refuses %j', async (fields, path) => {
    expect(await send('toUsers', { user: 'ada', content: 'x', ...fields })).toMatchObject({
      status: 400,
      body: { error: { details: [{ path }] } },
    });
  });

  it('names the count in the error only when the audience changed', async () => {
    const { body } = await send('toUsers', { user: 'ada' });
    expect(body.error).not.toHaveProperty('count');
  });
});
