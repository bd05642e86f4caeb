import { newId } from '@postrider/platform';
import { type Database, DATABASE, rows } from '@postrider/persistence';
import { untilTrue } from '@postrider/testing';
import { ReadingStage } from './testing/reading-stage';

const HOUR = 3_600_000;

describe('the API of messages', () => {
  let stage: ReadingStage;

  beforeAll(async () => {
    stage = await ReadingStage.start();
  });

  afterAll(() => stage.close());

  it('shows a message on its way: every device is in one state, and the states add up', async () => {
    const id = await stage.accept({ count: 5, recipients: 4, track_id: 'tea', client_id: 'c-1' });
    expect((await stage.call('GET', `messages/${id}`)).body).toMatchObject({
      status: 'accepted',
      totals: { pending: 0 },
    });
    await stage.page(id, [stage.device(0), stage.device(1), stage.device(2)], { state: 'running', fence: 1 });
    await stage.page(id, [stage.device(3)]);
    await stage.record(id, stage.device(0), 'sent', { vendorMessageId: 'projects/x/1' });
    await stage.record(id, stage.device(1), 'failed', { errorCode: 'INVALID_ARGUMENT', reason: 'bad payload' });
    await stage.record(id, stage.device(4), 'pending', { vendor: 'connection', reason: 'waits_for_app' });
    await stage.record(id, stage.device(5), 'skipped', { vendor: null, reason: 'no_usable_token' });
    await stage.record(id, '900006', 'skipped', { vendor: 'hms', reason: 'vendor_not_configured' });
    await stage.record(id, '900007', 'skipped', { errorCode: 'frequency_capped', reason: 'The user has had enough' });

    const { status, body } = await stage.call('GET', `messages/${id}`);
    expect(status).toBe(200);
    expect(body).toMatchObject({
      id,
      status: 'sending',
      count: 5,
      recipients: 8,
      trackId: 'tea',
      users: ['ada'],
      content: { content: 'hello' },
      totals: { pending: 3, sent: 1, failed: 1, skipped: 3, delivered: 0, opened: 0, cancelled: 0, expired: 0 },
      byVendor: {
        fcm: { pending: 2, sent: 1, failed: 1, skipped: 1 },
        hms: { skipped: 1 },
        connection: { pending: 1 },
      },
      skipped: { no_usable_token: 1, vendor_not_configured: 1, frequency_capped: 1 },
      skippedByVendor: { hms: { vendor_not_configured: 1 }, fcm: { frequency_capped: 1 } },
      errors: { INVALID_ARGUMENT: 1, frequency_capped: 1 },
      fallback: {},
    });
    const total = Object.values<number>(body.totals).reduce((sum, count) => sum + count, 0);
    expect(total).toBe(body.recipients);
  });

  it('counts what the audience worker has not found yet as pending', async () => {
    const id = await stage.accept({ count: 1_000, recipients: 2, resolved_at: null });
    await stage.page(id, [stage.device(0), stage.device(1)]);
    expect((await stage.call('GET', `messages/${id}`)).body).toMatchObject({
      recipients: 1_000,
      totals: { pending: 1_000 },
    });
  });

  it('counts and lists a message to very many devices alike, also a state that no device is in', async () => {
    const id = await stage.accept({ count: 30_000, recipients: 30_000 });
    await stage.page(id, [stage.device(0)]);
    await stage.record(id, stage.device(1), 'delivered');
    const listed = async (state: string): Promise<number> =>
      (await stage.call('GET', `messages/${id}/deliveries?state=${state}`)).body.deliveries.length as number;
    expect([await listed('sent'), await listed('delivered'), await listed('pending')]).toEqual([0, 1, 1]);
    expect((await stage.call('GET', `messages/${id}`)).body.totals).toMatchObject({
      pending: 1,
      delivered: 1,
      sent: 0,
    });
    await stage.record(id, stage.device(2), 'sent');
    // Where counting takes long, as on a busy machine, the last numbers are given for a while.
    await untilTrue(async () => (await listed('sent')) === 1);
    expect((await stage.call('POST', `messages/${id}/cancel`)).body).toMatchObject({
      status: 'cancelled',
      totals: { cancelled: 1, pending: 0 },
    });
  });

  it('stops a message: what waits is cancelled at once, what was sent stays', async () => {
    const id = await stage.accept({
      count: 10,
      recipients: 3,
      resolved_at: null,
      inbox_ends_at: new Date(Date.now() + HOUR),
    });
    await stage.page(id, [stage.device(0), stage.device(1)], { state: 'running', fence: 1 });
    await stage.record(id, stage.device(0), 'sent');
    await stage.record(id, stage.device(3), 'pending', { vendor: 'connection' });
    const { status, body } = await stage.call('POST', `messages/${id}/cancel`);
    expect(status).toBe(200);
    expect(body).toMatchObject({ id, status: 'cancelled', totals: { sent: 1, cancelled: 2, pending: 0 } });
    expect((await stage.call('POST', `messages/${id}/cancel`)).status).toBe(200);
    const listed = await stage.call('GET', `messages/${id}/deliveries?state=cancelled`);
    expect(listed.body.deliveries).toHaveLength(2);
    const done = await stage.accept({ status: 'done' });
    expect((await stage.call('POST', `messages/${done}/cancel`)).status).toBe(409);
  });

  it('reads the names of all users of a message once to show the message, and not for its devices, fallbacks and statistics', async () => {
    const id = await stage.accept({ count: 30_000, recipients: 30_000 });
    await rows(
      stage.gateway.database,
      `INSERT INTO deliveries (app_id, message_id, device_id, state, rank, vendor)
       SELECT 'shop', $1, 2000000 + n, 'delivered', 4, 'fcm' FROM generate_series(1, 2001) n`,
      [id],
    );
    const run = jest.spyOn(stage.gateway.app.get<Database>(DATABASE), 'query');
    /** How often the names were read since the last call. */
    const readings = async (): Promise<number> => {
      const answers = await Promise.all(run.mock.results.map(({ value }) => value as Promise<unknown>));
      run.mockClear();
      return answers.filter((answer) => JSON.stringify(answer)?.includes('"userIds"')).length;
    };
    await stage.call('GET', `messages/${id}/deliveries`);
    await stage.call('GET', `messages/${id}/fallbacks`);
    expect((await stage.call('GET', `messages/${id}/stats`)).status).toBe(200);
    expect(await readings()).toBe(0);
    const answer = await fetch(`${stage.gateway.address}/api/push/messages/${id}/deliveries/export?state=delivered`, {
      headers: { 'x-access-token': stage.server },
    });
    expect((await answer.text()).trimEnd().split('\r\n')).toHaveLength(1 + 2_001);
    // With the totals, which tell the first of the three parts whether there is any such device.
    expect(await readings()).toBe(1);
    // Another message: the totals of this one are shown again without reading them, if reading took long.
    const another = await stage.accept({ count: 30_000, recipients: 30_000 });
    const shown = await stage.call('GET', `messages/${another}`);
    expect([shown.body.users, await readings()]).toEqual([['ada'], 1]);
    run.mockRestore();
  });

  it('answers 404 for what is unknown, and for what is of another application', async () => {
    const id = await stage.accept();
    const { body: campaign } = await stage.call('POST', 'campaigns', { trackId: `only-${id}` });
    for (const [method, path] of [
      ['GET', `messages/${id}`],
      ['GET', `messages/${id}/deliveries`],
      ['POST', `messages/${id}/cancel`],
      ['GET', `campaigns/${campaign.id}`],
    ] as const) {
      expect((await stage.call(method, path, undefined, stage.stranger)).status).toBe(404);
      expect((await stage.call(method, path.replace(/[0-9a-f-]{36}/, newId()))).status).toBe(404);
      expect((await stage.call(method, path.replace(/[0-9a-f-]{36}/, 'nonsense'))).status).toBe(404);
      const addressed = await stage.gateway.request(method, `/apps/shop/api/push/${path}`, {
        headers: { 'x-access-token': stage.stranger },
      });
      expect(addressed.status).toBe(401);
    }
    expect((await stage.call('GET', `campaigns/${id}`)).status).toBe(404);
    expect((await stage.call('GET', 'messages', undefined, stage.stranger)).body.messages).toEqual([]);
    expect((await stage.call('GET', 'campaigns', undefined, stage.stranger)).body.campaigns).toEqual([]);
    expect((await stage.call('GET', `messages/${id}`)).body.status).toBe('accepted');
  });

  it('names every bad parameter', async () => {
    const bad = await stage.call('GET', 'messages?limit=201&cursor=!!&batchId=7&trackId=');
    expect(bad.body.error.details.map(({ path }: { path: string }) => path)).toEqual([
      'trackId',
      'batchId',
      'cursor',
      'limit',
    ]);
    const id = await stage.accept();
    const deliveries = await stage.call('GET', `messages/${id}/deliveries?state=lost&cursor=x`);
    expect(deliveries.body.error.details.map(({ path }: { path: string }) => path)).toEqual(['state', 'cursor']);
  });
});
