import { inTransaction, rows } from '@postrider/persistence';
import { Secret } from '@postrider/platform';
import { startTestGateway, TEST_ADMIN_TOKEN, type TestAnswer, type TestGateway } from '../../testing/test-gateway';

describe('an event that is reported again', () => {
  let one: TestGateway;
  let other: TestGateway;
  let client: string;

  beforeAll(async () => {
    one = await startTestGateway();
    other = await startTestGateway({ databaseUrl: new Secret(one.databaseUrl) });
    client = await one.application('shop', ['devices']);
  });

  afterAll(() => Promise.all([one.close(), other.close()]));

  const call = (
    gateway: TestGateway,
    method: string,
    path: string,
    body?: unknown,
    token = client,
  ): Promise<TestAnswer> => gateway.request(method, `/api/${path}`, { body, headers: { 'x-access-token': token } });
  const register = async (userId: string, deviceToken: string, token = client): Promise<string> =>
    (await call(one, 'POST', 'installations', { userId, deviceType: 'android', deviceToken }, token)).body.id;
  const report = async (
    userId: string,
    installationId: string,
    eventData: object[],
    { gateway = one, token, ...more }: { gateway?: TestGateway; token?: string; createdAt?: number } = {},
  ): Promise<void> => {
    const body = { userId, installationId, eventData, ...more };
    expect((await call(gateway, 'POST', 'installations/events', body, token)).status).toBe(200);
  };
  const attributesOf = async (userId: string): Promise<Record<string, unknown>> =>
    (
      await rows<{ attributes: Record<string, unknown> }>(
        one.database,
        `SELECT attributes FROM users WHERE user_id = $1`,
        [userId],
      )
    )[0]?.attributes ?? {};
  const remembered = async (userId: string): Promise<number> =>
    (await rows(one.database, `SELECT FROM reported_events WHERE user_id = $1`, [userId])).length;

  const at = Date.now() - 60_000;
  const purchase = { type: 2, eventName: 'buy', data: { value: 20, item: 'hat' }, createdAt: at };

  it('counts once, whichever gateway hears it, in whatever company and however its data is written', async () => {
    const phone = await register('ada', 'ada-1');
    await report('ada', phone, [purchase]);
    await report('ada', phone, [{ type: 2, eventName: 'look', createdAt: at }, purchase, purchase], { gateway: other });
    const rewritten = { ...purchase, data: { item: 'hat', value: 20 }, createdAt: new Date(at).toISOString() };
    await report('ada', phone, [rewritten], { createdAt: at + 5_000 });
    expect(await attributesOf('ada')).toMatchObject({ 'buy.count': 1, 'buy.sum': 20, 'look.count': 1 });
  });

  it('counts again with other data, another time, another name or from another device', async () => {
    const [phone, tablet] = [await register('bob', 'bob-1'), await register('bob', 'bob-2')];
    await report('bob', phone, [purchase, { ...purchase, createdAt: at + 1 }, { ...purchase, data: { value: 20 } }]);
    await report('bob', tablet, [purchase, { ...purchase, eventName: 'return' }]);
    expect(await attributesOf('bob')).toMatchObject({ 'buy.count': 4, 'buy.sum': 80, 'return.count': 1 });
  });

  it('counts each time when nothing says when it happened, and once a place by the time of its report', async () => {
    const phone = await register('cleo', 'cleo-1');
    const visit = { type: 2, eventName: 'visit' };
    await report('cleo', phone, [visit, visit]);
    await report('cleo', phone, [visit]);
    expect(await attributesOf('cleo')).toMatchObject({ 'visit.count': 3 });
    for (const gateway of [one, other]) await report('cleo', phone, [visit, visit], { gateway, createdAt: at });
    expect(await attributesOf('cleo')).toMatchObject({ 'visit.count': 5 });
  });

  it('counts once when two gateways hear it at the same time', async () => {
    const phone = await register('dora', 'dora-1');
    let reports: Promise<void>[] = [];
    await inTransaction(one.database, async (executor) => {
      await rows(executor, `SELECT FROM users WHERE user_id = 'dora' FOR UPDATE`);
      reports = [one, other, one, other].map((gateway) => report('dora', phone, [purchase], { gateway }));
      const waiting = `SELECT FROM pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock'`;
      while ((await rows(one.database, waiting)).length < 4);
    });
    await Promise.all(reports);
    expect(await attributesOf('dora')).toMatchObject({ 'buy.count': 1, 'buy.sum': 20 });
  });

  it('is known on the days after, and not for ever', async () => {
    const phone = await register('emma', 'emma-1');
    await report('emma', phone, [purchase]);
    const moveTo = (days: number): Promise<unknown> =>
      rows(
        one.database,
        `UPDATE reported_events SET day = (now() AT TIME ZONE 'UTC')::date + $1::int WHERE user_id = 'emma'`,
        [days],
      );
    for (const day of [-1, 1]) {
      await moveTo(day);
      await report('emma', phone, [purchase], { gateway: other });
    }
    expect(await attributesOf('emma')).toMatchObject({ 'buy.count': 1 });
    expect(await remembered('emma')).toBe(1);
  });

  it('is not remembered when it was refused', async () => {
    const phone = await register('finn', 'finn-1');
    const body = { userId: 'finn', installationId: phone, eventData: [{ ...purchase, data: 'x'.repeat(70_000) }] };
    expect((await call(one, 'POST', 'installations/events', body)).status).toBe(400);
    expect(await remembered('finn')).toBe(0);
  });

  it('counts each time beyond what a day of one user remembers', async () => {
    const phone = await register('gina', 'gina-1');
    // Of today and tomorrow: the day may end before the next report.
    await rows(
      one.database,
      `INSERT INTO reported_events (app_id, user_id, digest, day)
       SELECT 'shop', 'gina', decode(md5(n::text), 'hex'), (now() AT TIME ZONE 'UTC')::date + later
       FROM generate_series(1, 10000) n, generate_series(0, 1) later`,
    );
    await report('gina', phone, [purchase]);
    await report('gina', phone, [purchase]);
    expect(await attributesOf('gina')).toMatchObject({ 'buy.count': 2 });
    expect(await remembered('gina')).toBe(20_000);
  });

  it('opens a link once, also by a clock that runs ahead', async () => {
    const phone = await register('ina', 'ina-1');
    const ahead = { type: 3, link: 'shop://sale', actionTs: Date.now() + 3_600_000 };
    for (const gateway of [one, other, one]) await report('ina', phone, [ahead, ahead], { gateway });
    const opens = await rows<{ early: boolean }>(
      one.database,
      `SELECT opened_at <= now() AS early FROM link_opens WHERE user_id = 'ina'`,
    );
    expect(opens).toEqual([{ early: true }]);
  });

  it('leaves nothing when its user is erased or its application removed', async () => {
    const token = await one.application('closing');
    for (const userId of ['jo', 'kim']) {
      await report(userId, await register(userId, `${userId}-1`, token), [purchase], { token });
      expect(await remembered(userId)).toBe(1);
    }
    await call(one, 'DELETE', 'users/jo', undefined, token);
    expect(await remembered('jo')).toBe(0);
    expect(await remembered('kim')).toBe(1);
    const admin = { authorization: `Bearer ${TEST_ADMIN_TOKEN}` };
    expect((await one.request('DELETE', '/api/admin/apps/closing', { headers: admin })).status).toBeLessThan(300);
    expect(await rows(one.database, `SELECT FROM reported_events WHERE app_id = 'closing'`)).toEqual([]);
  });
});
