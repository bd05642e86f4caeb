import type { DeviceId } from '@postrider/domain';
import { type Database, DATABASE, rows } from '@postrider/persistence';
import { newId } from '@postrider/platform';
import { configureVendor, untilTrue } from '@postrider/testing';
import { EXPORT_PATIENCE_MS, HeavyReads } from '../../heavy-reads/heavy-reads.service';
import { startTestGateway, TEST_ADMIN_TOKEN, type TestAnswer, type TestGateway } from '../../testing/test-gateway';

const HOUR = 3_600_000;

describe('reading what was sent', () => {
  let gateway: TestGateway;
  let server: string;
  let stranger: string;
  const installations: { id: string; installationId: string }[] = [];

  const call = (method: string, path: string, body?: unknown, token = server): Promise<TestAnswer> =>
    gateway.request(method, `/api/push/${path}`, { body, headers: { 'x-access-token': token } });

  /** Writes a message as its acceptance leaves it. */
  const accept = async (changes: Record<string, unknown> = {}): Promise<string> => {
    const id = newId();
    const row: Record<string, unknown> = {
      app_id: 'shop',
      id,
      kind: 'users',
      is_campaign: false,
      lane: 'transactional',
      audience: '{}',
      user_ids: ['ada'],
      channel: 'public/default',
      content: '{"content":"hello"}',
      count: 3,
      recipients: 3,
      resolve_ceiling: 0,
      resolved_at: new Date(),
      accepted_at: new Date(),
      expires_at: new Date(Date.now() + HOUR),
      wake_at: changes.status === undefined ? new Date() : null,
      ...changes,
    };
    const names = Object.keys(row);
    await rows(
      gateway.database,
      `INSERT INTO messages (${names.join(', ')}) VALUES (${names.map((_, n) => `$${n + 1}`).join(', ')})`,
      Object.values(row),
    );
    return id;
  };
  const page = (
    messageId: string,
    deviceIds: DeviceId[],
    changes: { state?: string; fence?: number } = {},
  ): Promise<unknown> =>
    rows(
      gateway.database,
      `INSERT INTO pages (app_id, message_id, id, vendor, lane, device_ids, state, fence)
       VALUES ('shop', $1, $2, 'fcm', 'transactional', $3, $4, $5)`,
      [messageId, newId(), deviceIds, changes.state ?? 'waiting', changes.fence ?? 0],
    );
  const record = (
    messageId: string,
    deviceId: DeviceId,
    state: string,
    more: Record<string, unknown> = {},
  ): Promise<unknown> =>
    rows(
      gateway.database,
      `INSERT INTO deliveries (app_id, message_id, device_id, state, rank, vendor, vendor_message_id, error_code, reason, attempt)
       VALUES ('shop', $1, $2, $3, $4, $5, $6, $7, $8, 1)`,
      [
        messageId,
        deviceId,
        state,
        state === 'pending' ? 0 : 1,
        more.vendor === undefined ? 'fcm' : more.vendor,
        more.vendorMessageId ?? null,
        more.errorCode ?? null,
        more.reason ?? null,
      ],
    );

  beforeAll(async () => {
    gateway = await startTestGateway();
    server = await gateway.application('shop');
    stranger = await gateway.application('other');
    await configureVendor(gateway.database, 'shop', 'fcm');
    for (let n = 0; n < 6; n++) {
      const { body } = await gateway.request('POST', '/api/installations', {
        body: { userId: 'ada', deviceType: 'android', deviceToken: `t-${n}` },
        headers: { 'x-access-token': server },
      });
      const [row] = await rows<{ id: string }>(
        gateway.database,
        `SELECT id FROM installations WHERE installation_id = $1`,
        [body.id],
      );
      installations.push({ id: row?.id ?? '', installationId: body.id });
    }
  });

  afterAll(() => gateway.close());

  const device = (n: number): string => installations[n]?.id ?? '';

  it('shows a message on its way: every device is in one state, and the states add up', async () => {
    const id = await accept({ count: 5, recipients: 4, track_id: 'tea', client_id: 'c-1' });
    expect((await call('GET', `messages/${id}`)).body).toMatchObject({ status: 'accepted', totals: { pending: 0 } });
    await page(id, [device(0), device(1), device(2)], { state: 'running', fence: 1 });
    await page(id, [device(3)]);
    await record(id, device(0), 'sent', { vendorMessageId: 'projects/x/1' });
    await record(id, device(1), 'failed', { errorCode: 'INVALID_ARGUMENT', reason: 'bad payload' });
    await record(id, device(4), 'pending', { vendor: 'connection', reason: 'waits_for_app' });
    await record(id, device(5), 'skipped', { vendor: null, reason: 'no_usable_token' });
    await record(id, '900006', 'skipped', { vendor: 'hms', reason: 'vendor_not_configured' });
    await record(id, '900007', 'skipped', { errorCode: 'frequency_capped', reason: 'The user has had enough' });

    const { status, body } = await call('GET', `messages/${id}`);
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
    const id = await accept({ count: 1_000, recipients: 2, resolved_at: null });
    await page(id, [device(0), device(1)]);
    expect((await call('GET', `messages/${id}`)).body).toMatchObject({ recipients: 1_000, totals: { pending: 1_000 } });
  });

  it('counts and lists a message to very many devices alike, also a state that no device is in', async () => {
    const id = await accept({ count: 30_000, recipients: 30_000 });
    await page(id, [device(0)]);
    await record(id, device(1), 'delivered');
    const listed = async (state: string): Promise<number> =>
      (await call('GET', `messages/${id}/deliveries?state=${state}`)).body.deliveries.length as number;
    expect([await listed('sent'), await listed('delivered'), await listed('pending')]).toEqual([0, 1, 1]);
    expect((await call('GET', `messages/${id}`)).body.totals).toMatchObject({ pending: 1, delivered: 1, sent: 0 });
    await record(id, device(2), 'sent');
    // Where counting takes long, as on a busy machine, the last numbers are given for a while.
    await untilTrue(async () => (await listed('sent')) === 1);
    expect((await call('POST', `messages/${id}/cancel`)).body).toMatchObject({
      status: 'cancelled',
      totals: { cancelled: 1, pending: 0 },
    });
  });

  it('lists one row a device, recorded or not, and pages through them', async () => {
    const id = await accept();
    await page(id, [device(0), device(2), device(4)], { state: 'running', fence: 1 });
    await record(id, device(2), 'sent', { vendorMessageId: 'm-2' });
    await record(id, device(5), 'skipped', { vendor: null, reason: 'no_usable_token' });

    const all = await call('GET', `messages/${id}/deliveries`);
    expect(all.body.nextCursor).toBeNull();
    expect(all.body.deliveries).toMatchObject([
      { installationId: installations[0]?.installationId, userId: 'ada', state: 'pending', vendor: 'fcm', attempt: 0 },
      { state: 'sent', vendorMessageId: 'm-2', attempt: 1 },
      { state: 'pending', reason: 'Waits for its turn' },
      { state: 'skipped', vendor: null, reason: 'no_usable_token' },
    ]);

    const read: string[] = [];
    let cursor = '';
    do {
      const { body } = await call('GET', `messages/${id}/deliveries?limit=1${cursor && `&cursor=${cursor}`}`);
      expect(body.deliveries).toHaveLength(1);
      read.push(body.deliveries[0].installationId);
      cursor = body.nextCursor;
    } while (cursor);
    expect(read).toEqual(all.body.deliveries.map((delivery: { installationId: string }) => delivery.installationId));

    const pending = await call('GET', `messages/${id}/deliveries?state=pending`);
    expect(pending.body.deliveries).toHaveLength(2);
    const sent = await call('GET', `messages/${id}/deliveries?state=sent`);
    expect(sent.body.deliveries).toHaveLength(1);
  });

  it.each([
    ['credentials_failing_since', /^The vendor refuses the credentials of the application\. .* replaced them/],
    ['breaker_open_since', /^The vendor does not work at the moment\./],
  ])('says why a device waits while its vendor has trouble (%s)', async (column, reason) => {
    const id = await accept();
    await page(id, [device(0)], { fence: 1 });
    await rows(
      gateway.database,
      `INSERT INTO vendor_troubles (app_id, vendor, ${column}) VALUES ('shop', 'fcm', now())`,
      [],
    );
    const told = { state: 'pending', reason: expect.stringMatching(reason) };
    expect((await call('GET', `messages/${id}/deliveries`)).body.deliveries).toMatchObject([told]);
    const { body } = await call('GET', `messages/${id}/devices?userId=ada`);
    expect(body.devices).toContainEqual(expect.objectContaining({ delivery: expect.objectContaining(told) }));
    await rows(gateway.database, `DELETE FROM vendor_troubles`, []);
    expect((await call('GET', `messages/${id}/deliveries`)).body.deliveries).toMatchObject([
      { reason: 'Waits for its turn' },
    ]);
  });

  it('says that a device waits for credentials when those of its vendor were deleted', async () => {
    const id = await accept();
    await page(id, [device(0)], { fence: 1 });
    const attention = async (): Promise<{ message: string }[]> =>
      (await call('GET', 'overview')).body.attention.filter(({ vendor }: { vendor?: string }) => vendor === 'fcm');
    const troubled = `INSERT INTO vendor_troubles (app_id, vendor, credentials_failing_since, credentials_reason)
      VALUES ('shop', 'fcm', now(), 'No') ON CONFLICT (app_id, vendor) DO UPDATE SET credentials_failing_since = now()`;
    await rows(gateway.database, troubled, []);
    const headers = { authorization: `Bearer ${TEST_ADMIN_TOKEN}` };
    await gateway.request('DELETE', '/api/admin/apps/shop/vendors/fcm', { headers });
    const reason = expect.stringMatching(/^The application has no credentials for this vendor\./) as string;
    expect((await call('GET', `messages/${id}/deliveries`)).body.deliveries).toMatchObject([{ reason }]);
    expect(await attention()).toEqual([]);
    // A worker reports that it has none.
    await rows(gateway.database, troubled, []);
    expect(await attention()).toMatchObject([{ message: 'There are no credentials for Firebase (FCM)' }]);
    await rows(gateway.database, `DELETE FROM vendor_troubles`, []);
    await configureVendor(gateway.database, 'shop', 'fcm');
  });

  it('stops a message: what waits is cancelled at once, what was sent stays', async () => {
    const id = await accept({
      count: 10,
      recipients: 3,
      resolved_at: null,
      inbox_ends_at: new Date(Date.now() + HOUR),
    });
    await page(id, [device(0), device(1)], { state: 'running', fence: 1 });
    await record(id, device(0), 'sent');
    await record(id, device(3), 'pending', { vendor: 'connection' });
    const { status, body } = await call('POST', `messages/${id}/cancel`);
    expect(status).toBe(200);
    expect(body).toMatchObject({ id, status: 'cancelled', totals: { sent: 1, cancelled: 2, pending: 0 } });
    expect((await call('POST', `messages/${id}/cancel`)).status).toBe(200);
    const listed = await call('GET', `messages/${id}/deliveries?state=cancelled`);
    expect(listed.body.deliveries).toHaveLength(2);
    const done = await accept({ status: 'done' });
    expect((await call('POST', `messages/${done}/cancel`)).status).toBe(409);
  });

  it('lists messages by what identifies them, newest first, with a cursor', async () => {
    const batch = newId();
    const ids = [
      await accept({ batch_id: batch, user_ids: ['zoe', 'ada'], client_id: 'mine' }),
      await accept({ batch_id: batch, user_ids: ['zoe'], track_id: 'list' }),
      await accept({ batch_id: batch, user_ids: ['kim'], track_id: 'list' }),
    ];
    await accept({ batch_id: batch, is_campaign: true, kind: 'query', user_ids: null });
    const listed = async (query: string): Promise<string[]> =>
      (await call('GET', `messages?${query}`)).body.messages.map(({ id }: { id: string }) => id);
    expect(await listed(`batchId=${batch}`)).toEqual([...ids].reverse());
    expect(await listed(`userId=zoe`)).toEqual([ids[1], ids[0]]);
    expect(await listed('clientId=mine')).toEqual([ids[0]]);
    expect(await listed('trackId=list&userId=kim')).toEqual([ids[2]]);
    const first = await call('GET', `messages?batchId=${batch}&limit=2`);
    expect(first.body.messages).toHaveLength(2);
    const rest = await call('GET', `messages?batchId=${batch}&limit=2&cursor=${first.body.nextCursor}`);
    expect(rest.body).toMatchObject({ messages: [{ id: ids[0] }], nextCursor: null });
  });

  it('lists deliveries of one language, and writes them out as CSV', async () => {
    const id = await accept({ content: '{"content":"hello","localized":{"fa":{}}}' });
    const [one, other] = installations as [(typeof installations)[number], (typeof installations)[number]];
    await record(id, one.id, 'opened');
    await record(id, other.id, 'failed', { errorCode: '=cmd' });
    await rows(gateway.database, `UPDATE deliveries SET language = 'fa' WHERE message_id = $1 AND device_id = $2`, [
      id,
      one.id,
    ]);
    const statesIn = async (query: string): Promise<string[]> =>
      (await call('GET', `messages/${id}/deliveries?${query}`)).body.deliveries.map(
        ({ state }: { state: string }) => state,
      );
    expect(await statesIn('language=fa')).toEqual(['opened']);
    expect(await statesIn('language=fa&state=failed')).toEqual([]);
    expect(await statesIn('language=default')).toEqual(['failed']);
    expect(await statesIn('language=fr')).toEqual([]);
    expect((await call('GET', `messages/${id}/deliveries?language=a_b`)).status).toBe(400);

    const csv = async (query = ''): Promise<string[]> => {
      const answer = await fetch(`${gateway.address}/api/push/messages/${id}/deliveries/export${query}`, {
        headers: { 'x-access-token': server },
      });
      expect(answer.headers.get('content-type')).toContain('text/csv');
      return (await answer.text()).trimEnd().split('\r\n');
    };
    const [head, ...lines] = await csv();
    expect(head).toMatch(/^userId,installationId,state,vendor,vendorMessageId,error,/);
    expect(lines).toHaveLength(2);
    expect(lines.join()).toContain(`${one.installationId},opened,fcm`);
    expect(lines.join()).toContain("'=cmd");
    expect(await csv('?language=fa')).toHaveLength(2);
    const unknown = await call('GET', `messages/${newId()}/deliveries/export`);
    expect([unknown.status, unknown.headers['content-disposition']]).toEqual([404, undefined]);
    expect((await call('GET', `messages/${id}/deliveries/export`, undefined, stranger)).status).toBe(404);
  });

  it('writes the deliveries of one language out to the end, also while others take the turns of the application', async () => {
    const id = await accept({ content: '{"content":"hello","localized":{"fa":{}}}', count: 20_000 });
    await rows(
      gateway.database,
      `INSERT INTO deliveries (app_id, message_id, device_id, state, rank, vendor, language)
       SELECT 'shop', $1, 1000000 + n, 'opened', 6, 'fcm', 'fa' FROM generate_series(1, 1001) n`,
      [id],
    );
    const slices = jest.spyOn(gateway.app.get(HeavyReads), 'run');
    const answer = await fetch(`${gateway.address}/api/push/messages/${id}/deliveries/export?language=fa`, {
      headers: { 'x-access-token': server },
    });
    expect((await answer.text()).trimEnd().split('\r\n')).toHaveLength(1 + 1_001);
    // A caller who has a part of the file does not lose the rest of it because other reads come first.
    expect(slices.mock.calls.map(([, { patienceMs }]) => patienceMs)).toEqual([undefined, EXPORT_PATIENCE_MS]);
    slices.mockRestore();
  });

  it('reads the names of all users of a message once to show the message, and not for its devices, fallbacks and statistics', async () => {
    const id = await accept({ count: 30_000, recipients: 30_000 });
    await rows(
      gateway.database,
      `INSERT INTO deliveries (app_id, message_id, device_id, state, rank, vendor)
       SELECT 'shop', $1, 2000000 + n, 'delivered', 4, 'fcm' FROM generate_series(1, 2001) n`,
      [id],
    );
    const run = jest.spyOn(gateway.app.get<Database>(DATABASE), 'query');
    /** How often the names were read since the last call. */
    const readings = async (): Promise<number> => {
      const answers = await Promise.all(run.mock.results.map(({ value }) => value as Promise<unknown>));
      run.mockClear();
      return answers.filter((answer) => JSON.stringify(answer)?.includes('"userIds"')).length;
    };
    await call('GET', `messages/${id}/deliveries`);
    await call('GET', `messages/${id}/fallbacks`);
    expect((await call('GET', `messages/${id}/stats`)).status).toBe(200);
    expect(await readings()).toBe(0);
    const answer = await fetch(`${gateway.address}/api/push/messages/${id}/deliveries/export?state=delivered`, {
      headers: { 'x-access-token': server },
    });
    expect((await answer.text()).trimEnd().split('\r\n')).toHaveLength(1 + 2_001);
    // With the totals, which tell the first of the three parts whether there is any such device.
    expect(await readings()).toBe(1);
    const shown = await call('GET', `messages/${id}`);
    expect([shown.body.users, await readings()]).toEqual([['ada'], 1]);
    run.mockRestore();
  });

  it('lists campaigns with what devices said about them, and finds them by state, kind, time and language', async () => {
    const campaign = (changes: object): Promise<string> =>
      accept({ is_campaign: true, kind: 'query', lane: 'campaign', user_ids: null, track_id: 'filtered', ...changes });
    const variants = [{ name: 'A' }, { name: 'B', localized: { fr: {} } }];
    const done = await campaign({ status: 'done', content: JSON.stringify({ localized: { fa: {} } }) });
    const begun = await campaign({ kind: 'notify', content: JSON.stringify({ variants }) });
    await page(begun, ['1'], { fence: 1 });
    const waits = await campaign({});
    for (const [kind, name, count] of [
      ['delivered', null, 3],
      ['opened', null, 2],
      ['action', 'buy', 1],
      ['link', 'https://x.example', 1],
      ['clicked', null, 1],
      ['click', 'https://x.example', 9],
    ]) {
      await rows(
        gateway.database,
        `INSERT INTO message_counts (app_id, message_id, kind, name_key, hour, platform, name, count)
         VALUES ('shop', $1, $2, '', date_trunc('hour', now()), 'ios', $3, $4)`,
        [done, kind, name, count],
      );
    }
    const planned = await call('POST', 'campaigns', { trackId: 'never-sent' });
    const idsOf = async (query: string): Promise<string[]> =>
      (await call('GET', `campaigns?${query}`)).body.campaigns.map(({ id }: { id: string }) => id);
    expect(await idsOf('trackId=filtered&status=done')).toEqual([done]);
    expect(await idsOf('trackId=filtered&status=sending')).toEqual([begun]);
    expect(await idsOf('trackId=filtered&status=accepted')).toEqual([waits]);
    expect(await idsOf('trackId=filtered&status=cancelled')).toEqual([]);
    expect(await idsOf('trackId=filtered&kind=notify')).toEqual([begun]);
    expect(await idsOf('trackId=filtered&language=fa')).toEqual([done]);
    expect(await idsOf('trackId=filtered&language=fr')).toEqual([begun]);
    const [later, earlier] = [Date.now() + HOUR, Date.now() - HOUR];
    expect(await idsOf(`trackId=filtered&from=${earlier}&to=${later}`)).toEqual([waits, begun, done]);
    expect(await idsOf(`trackId=filtered&to=${earlier}`)).toEqual([]);
    expect(await idsOf(`trackId=filtered&from=${later}`)).toEqual([]);
    // A campaign without a send has no kind and no time.
    expect(await idsOf('limit=200')).toContain(planned.body.id);
    expect(await idsOf('limit=200&status=accepted')).not.toContain(planned.body.id);
    const { body } = await call('GET', 'campaigns?trackId=filtered');
    expect(body.campaigns.map(({ engagement }: { engagement: object }) => engagement)).toEqual([
      { delivered: 0, opened: 0, clicked: 0 },
      { delivered: 0, opened: 0, clicked: 0 },
      { delivered: 3, opened: 2, clicked: 1 },
    ]);
    const wrong = await call('GET', 'campaigns?status=sent&kind=all&from=x&language=a_b');
    expect(wrong.body.error.details.map(({ path }: { path: string }) => path).sort()).toEqual([
      ...['from', 'kind', 'language', 'status'],
    ]);
    expect((await call('GET', `campaigns?from=${later}&to=${earlier}`)).body.error.details).toMatchObject([
      { path: 'to' },
    ]);
  });

  it('reads a campaign that was created ahead as its newest send, once there is one', async () => {
    const planned = await call('POST', 'campaigns', { trackId: 'ahead', name: 'Ahead' });
    const read = (): Promise<TestAnswer> => call('GET', `campaigns/${planned.body.id as string}`);
    await accept({ count: 9, track_id: 'ahead' });
    expect((await read()).body).toEqual(planned.body);
    const campaign = { kind: 'query', is_campaign: true, track_id: 'ahead' };
    await accept({ ...campaign, count: 3, accepted_at: new Date(Date.now() - HOUR) });
    const newest = await accept({ ...campaign, count: 5, status: 'done' });
    await accept({ ...campaign, count: 7, track_id: 'other' });
    expect((await read()).body).toMatchObject({ id: newest, trackId: 'ahead', status: 'done', count: 5 });
    expect((await read()).body).toHaveProperty('totals');
  });

  it('finds messages to users by state, time, channel, language and template', async () => {
    const templateId = newId();
    const common = { track_id: 'narrowed' };
    const done = await accept({ ...common, status: 'done', channel: 'public/sport' });
    const cancelled = await accept({ ...common, status: 'cancelled', content: JSON.stringify({ templateId }) });
    const begun = await accept({ ...common, kind: 'notify', content: JSON.stringify({ localized: { fa: {} } }) });
    await page(begun, ['1'], { fence: 1 });
    const waits = await accept(common);
    const idsOf = async (query: string): Promise<string[]> =>
      (await call('GET', `messages?trackId=narrowed&${query}`)).body.messages.map(({ id }: { id: string }) => id);
    expect(await idsOf('status=done')).toEqual([done]);
    expect(await idsOf('status=cancelled')).toEqual([cancelled]);
    expect(await idsOf('status=sending')).toEqual([begun]);
    expect(await idsOf('status=accepted')).toEqual([waits]);
    expect(await idsOf('kind=notify')).toEqual([begun]);
    expect(await idsOf('channel=sport')).toEqual([done]);
    expect(await idsOf('channel=default')).toEqual([waits, begun, cancelled]);
    expect(await idsOf('channel=private/sport')).toEqual([]);
    expect(await idsOf(`templateId=${templateId.toUpperCase()}`)).toEqual([cancelled]);
    expect(await idsOf(`templateId=${newId()}`)).toEqual([]);
    expect(await idsOf('language=fa')).toEqual([begun]);
    expect(await idsOf(`to=${Date.now() - HOUR}`)).toEqual([]);
    expect(await idsOf(`from=${Date.now() - HOUR}`)).toEqual([waits, begun, cancelled, done]);
    const wrong = await call('GET', 'messages?status=sent&channel=a/b&templateId=x&to=x');
    expect(wrong.body.error.details.map(({ path }: { path: string }) => path).sort()).toEqual([
      ...['channel', 'status', 'templateId', 'to'],
    ]);
  });

  it('lists campaigns, those made ahead of their first send among them', async () => {
    const before = await accept({
      is_campaign: true,
      kind: 'query',
      user_ids: null,
      track_id: 'spring',
      audience: '{"target":{"deviceType":"ios"}}',
    });
    const made = await call('POST', 'campaigns', { trackId: 'autumn', name: 'Autumn sale' });
    expect(made).toMatchObject({ status: 201, body: { trackId: 'autumn', name: 'Autumn sale', status: 'accepted' } });
    expect((await call('POST', 'campaigns', { trackId: 'autumn' })).status).toBe(409);
    expect((await call('POST', 'campaigns', {})).body.error.details).toEqual([
      { path: 'trackId', message: 'is required' },
    ]);
    const listed = await call('GET', 'campaigns?limit=2');
    expect(listed.body.campaigns.map(({ id }: { id: string }) => id)).toEqual([made.body.id, before]);
    const next = await call(
      'GET',
      `campaigns?limit=1&cursor=${(await call('GET', 'campaigns?limit=1')).body.nextCursor}`,
    );
    expect(next.body.campaigns).toMatchObject([{ id: before }]);
    expect((await call('GET', `campaigns/${made.body.id}`)).body).toMatchObject({ trackId: 'autumn', count: 0 });
    expect((await call('GET', `campaigns/${before}`)).body).toMatchObject({
      target: { deviceType: 'ios' },
      totals: {},
    });
    const sent = await accept({ is_campaign: true, kind: 'query', user_ids: null, track_id: 'autumn' });
    expect((await call('GET', 'campaigns?trackId=autumn')).body.campaigns).toMatchObject([{ id: sent }]);
  });

  it('answers 404 for what is unknown, and for what is of another application', async () => {
    const id = await accept();
    const { body: campaign } = await call('POST', 'campaigns', { trackId: `only-${id}` });
    for (const [method, path] of [
      ['GET', `messages/${id}`],
      ['GET', `messages/${id}/deliveries`],
      ['POST', `messages/${id}/cancel`],
      ['GET', `campaigns/${campaign.id}`],
    ] as const) {
      expect((await call(method, path, undefined, stranger)).status).toBe(404);
      expect((await call(method, path.replace(/[0-9a-f-]{36}/, newId()))).status).toBe(404);
      expect((await call(method, path.replace(/[0-9a-f-]{36}/, 'nonsense'))).status).toBe(404);
      const addressed = await gateway.request(method, `/apps/shop/api/push/${path}`, {
        headers: { 'x-access-token': stranger },
      });
      expect(addressed.status).toBe(401);
    }
    expect((await call('GET', `campaigns/${id}`)).status).toBe(404);
    expect((await call('GET', 'messages', undefined, stranger)).body.messages).toEqual([]);
    expect((await call('GET', 'campaigns', undefined, stranger)).body.campaigns).toEqual([]);
    expect((await call('GET', `messages/${id}`)).body.status).toBe('accepted');
  });

  it('names every bad parameter', async () => {
    const bad = await call('GET', 'messages?limit=201&cursor=!!&batchId=7&trackId=');
    expect(bad.body.error.details.map(({ path }: { path: string }) => path)).toEqual([
      'trackId',
      'batchId',
      'cursor',
      'limit',
    ]);
    const id = await accept();
    const deliveries = await call('GET', `messages/${id}/deliveries?state=lost&cursor=x`);
    expect(deliveries.body.error.details.map(({ path }: { path: string }) => path)).toEqual(['state', 'cursor']);
  });
});
