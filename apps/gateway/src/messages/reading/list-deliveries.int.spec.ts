import { newId } from '@postrider/platform';
import { rows } from '@postrider/persistence';
import { configureVendor } from '@postrider/testing';
import { EXPORT_PATIENCE_MS, HeavyReads } from '../../heavy-reads/heavy-reads.service';
import { TEST_ADMIN_TOKEN } from '../../testing/test-gateway';
import { ReadingStage } from './testing/reading-stage';

describe('the API of deliveries', () => {
  let stage: ReadingStage;

  beforeAll(async () => {
    stage = await ReadingStage.start();
  });

  afterAll(() => stage.close());

  it('lists one row a device, recorded or not, and pages through them', async () => {
    const id = await stage.accept();
    await stage.page(id, [stage.device(0), stage.device(2), stage.device(4)], { state: 'running', fence: 1 });
    await stage.record(id, stage.device(2), 'sent', { vendorMessageId: 'm-2' });
    await stage.record(id, stage.device(5), 'skipped', { vendor: null, reason: 'no_usable_token' });

    const all = await stage.call('GET', `messages/${id}/deliveries`);
    expect(all.body.nextCursor).toBeNull();
    expect(all.body.deliveries).toMatchObject([
      {
        installationId: stage.installations[0]?.installationId,
        userId: 'ada',
        state: 'pending',
        vendor: 'fcm',
        attempt: 0,
      },
      { state: 'sent', vendorMessageId: 'm-2', attempt: 1 },
      { state: 'pending', reason: 'Waits for its turn' },
      { state: 'skipped', vendor: null, reason: 'no_usable_token' },
    ]);

    const read: string[] = [];
    let cursor = '';
    do {
      const { body } = await stage.call('GET', `messages/${id}/deliveries?limit=1${cursor && `&cursor=${cursor}`}`);
      expect(body.deliveries).toHaveLength(1);
      read.push(body.deliveries[0].installationId);
      cursor = body.nextCursor;
    } while (cursor);
    expect(read).toEqual(all.body.deliveries.map((delivery: { installationId: string }) => delivery.installationId));

    const pending = await stage.call('GET', `messages/${id}/deliveries?state=pending`);
    expect(pending.body.deliveries).toHaveLength(2);
    const sent = await stage.call('GET', `messages/${id}/deliveries?state=sent`);
    expect(sent.body.deliveries).toHaveLength(1);
  });

  it.each([
    ['credentials_failing_since', /^The vendor refuses the credentials of the application\. .* replaced them/],
    ['breaker_open_since', /^The vendor does not work at the moment\./],
  ])('says why a device waits while its vendor has trouble (%s)', async (column, reason) => {
    const id = await stage.accept();
    await stage.page(id, [stage.device(0)], { fence: 1 });
    await rows(
      stage.gateway.database,
      `INSERT INTO vendor_troubles (app_id, vendor, ${column}) VALUES ('shop', 'fcm', now())`,
      [],
    );
    const told = { state: 'pending', reason: expect.stringMatching(reason) };
    expect((await stage.call('GET', `messages/${id}/deliveries`)).body.deliveries).toMatchObject([told]);
    const { body } = await stage.call('GET', `messages/${id}/devices?userId=ada`);
    expect(body.devices).toContainEqual(expect.objectContaining({ delivery: expect.objectContaining(told) }));
    await rows(stage.gateway.database, `DELETE FROM vendor_troubles`, []);
    expect((await stage.call('GET', `messages/${id}/deliveries`)).body.deliveries).toMatchObject([
      { reason: 'Waits for its turn' },
    ]);
  });

  it('says that a device waits for credentials when those of its vendor were deleted', async () => {
    const { database } = stage.gateway;
    const id = await stage.accept();
    await stage.page(id, [stage.device(0)], { fence: 1 });
    const attention = async (): Promise<{ message: string }[]> =>
      (await stage.call('GET', 'overview')).body.attention.filter(
        ({ vendor }: { vendor?: string }) => vendor === 'fcm',
      );
    const troubled = `INSERT INTO vendor_troubles (app_id, vendor, credentials_failing_since, credentials_reason)
      VALUES ('shop', 'fcm', now(), 'No') ON CONFLICT (app_id, vendor) DO UPDATE SET credentials_failing_since = now()`;
    await rows(database, troubled, []);
    const headers = { authorization: `Bearer ${TEST_ADMIN_TOKEN}` };
    await stage.gateway.request('DELETE', '/api/admin/apps/shop/vendors/fcm', { headers });
    const reason = expect.stringMatching(/^The application has no credentials for this vendor\./) as string;
    expect((await stage.call('GET', `messages/${id}/deliveries`)).body.deliveries).toMatchObject([{ reason }]);
    expect(await attention()).toEqual([]);
    // A worker reports that it has none.
    await rows(database, troubled, []);
    expect(await attention()).toMatchObject([{ message: 'There are no credentials for Firebase (FCM)' }]);
    await rows(database, `DELETE FROM vendor_troubles`, []);
    await configureVendor(database, 'shop', 'fcm');
  });

  it('lists deliveries of one language, and writes them out as CSV', async () => {
    const id = await stage.accept({ content: '{"content":"hello","localized":{"fa":{}}}' });
    const [one, other] = stage.installations as [
      (typeof stage.installations)[number],
      (typeof stage.installations)[number],
    ];
    await stage.record(id, one.id, 'opened');
    await stage.record(id, other.id, 'failed', { errorCode: '=cmd' });
    await rows(
      stage.gateway.database,
      `UPDATE deliveries SET language = 'fa' WHERE message_id = $1 AND device_id = $2`,
      [id, one.id],
    );
    const statesIn = async (query: string): Promise<string[]> =>
      (await stage.call('GET', `messages/${id}/deliveries?${query}`)).body.deliveries.map(
        ({ state }: { state: string }) => state,
      );
    expect(await statesIn('language=fa')).toEqual(['opened']);
    expect(await statesIn('language=fa&state=failed')).toEqual([]);
    expect(await statesIn('language=default')).toEqual(['failed']);
    expect(await statesIn('language=fr')).toEqual([]);
    expect((await stage.call('GET', `messages/${id}/deliveries?language=a_b`)).status).toBe(400);

    const csv = async (query = ''): Promise<string[]> => {
      const answer = await fetch(`${stage.gateway.address}/api/push/messages/${id}/deliveries/export${query}`, {
        headers: { 'x-access-token': stage.server },
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
    const unknown = await stage.call('GET', `messages/${newId()}/deliveries/export`);
    expect([unknown.status, unknown.headers['content-disposition']]).toEqual([404, undefined]);
    expect((await stage.call('GET', `messages/${id}/deliveries/export`, undefined, stage.stranger)).status).toBe(404);
  });

  it('writes the deliveries of one language out to the end, also while others take the turns of the application', async () => {
    const id = await stage.accept({ content: '{"content":"hello","localized":{"fa":{}}}', count: 20_000 });
    await rows(
      stage.gateway.database,
      `INSERT INTO deliveries (app_id, message_id, device_id, state, rank, vendor, language)
       SELECT 'shop', $1, 1000000 + n, 'opened', 6, 'fcm', 'fa' FROM generate_series(1, 1001) n`,
      [id],
    );
    const slices = jest.spyOn(stage.gateway.app.get(HeavyReads), 'run');
    const answer = await fetch(`${stage.gateway.address}/api/push/messages/${id}/deliveries/export?language=fa`, {
      headers: { 'x-access-token': stage.server },
    });
    expect((await answer.text()).trimEnd().split('\r\n')).toHaveLength(1 + 1_001);
    // A caller who has a part of the file does not lose the rest of it because other reads come first.
    expect(slices.mock.calls.map(([, { patienceMs }]) => patienceMs)).toEqual([undefined, EXPORT_PATIENCE_MS]);
    slices.mockRestore();
  });
});
