import { once } from 'node:events';
import { get, type IncomingMessage } from 'node:http';
import { rows } from '@postrider/persistence';
import { RetainedMemory } from '@postrider/testing';
import { startTestGateway, type TestGateway } from '../testing/test-gateway';
import { HeavyReads } from '../heavy-reads/heavy-reads.service';
import { ExportSegment } from './export-segment.service';

const DEVICES = 20_000;

describe('the export of a large segment', () => {
  let gateway: TestGateway;
  let url: string;

  beforeAll(async () => {
    gateway = await startTestGateway();
    const token = await gateway.application('shop');
    await rows(
      gateway.database,
      `INSERT INTO installations (app_id, installation_id, user_id, device_type, os_version, os_version_key, tags)
       SELECT 'shop', gen_random_uuid(), 'user-' || n, CASE WHEN n % 1000 = 0 THEN 'tv' ELSE 'android' END, '12', '12',
         ARRAY['tag-' || n % 7, repeat('x', 200)]
       FROM generate_series(1, $1::int) n`,
      [DEVICES],
    );
    await rows(gateway.database, `VACUUM ANALYZE installations`);
    const target = { deviceType: ['android', 'tv'] };
    const made = await gateway.request('POST', `/api/segments?access_token=${token}`, {
      body: { name: 'all', target },
    });
    url = `${gateway.address}/api/segments/${made.body.id}/export?access_token=${token}`;
  });

  afterAll(() => gateway.close());

  it('writes every device once, and keeps none of them in memory', async () => {
    const asked = get(url);
    const [answer] = (await once(asked, 'response')) as [IncomingMessage];
    let bytes = 0;
    let lines = 0;
    let looks = 0;
    let memory: RetainedMemory | undefined;
    for await (const piece of answer as AsyncIterable<Buffer>) {
      bytes += piece.length;
      for (let at = piece.indexOf(10); at !== -1; at = piece.indexOf(10, at + 1)) lines += 1;
      if (bytes <= looks * 1_000_000) continue;
      looks += 1;
      // Compared with the first measurement, when everything that an export needs is loaded.
      memory ??= new RetainedMemory();
      await memory.untilLessThan(3 * 1_048_576);
    }
    expect(lines).toBe(DEVICES + 1);
    expect(looks).toBeGreaterThan(4);
  });

  /** While this runs, an export that did not wait for its caller would read several slices. */
  async function readAsMuch(): Promise<void> {
    for (let slice = 0; slice < 10; slice++)
      await rows(gateway.database, `SELECT * FROM installations WHERE app_id = 'shop' ORDER BY id LIMIT 1000`);
  }

  it('reads no further than its first part for HEAD', async () => {
    const slices = jest.spyOn(gateway.app.get(HeavyReads), 'run');
    const answer = await fetch(url, { method: 'HEAD' });
    expect([answer.status, answer.headers.get('content-type')]).toEqual([
      200,
      'text/csv; charset=utf-8; header=present',
    ]);
    await readAsMuch();
    expect(slices.mock.calls).toHaveLength(1);
    slices.mockRestore();
  });

  it('reads no further than its caller takes, and no more at all when they hang up', async () => {
    const slices = jest.spyOn(gateway.app.get(HeavyReads), 'run');
    const who = { kind: 'rules' as const, target: { deviceType: ['android', 'tv'] } };
    const acceptedAt = new Date();
    const csv = await gateway.app
      .get(ExportSegment)
      .open(
        { appId: 'shop', acceptedAt, channel: 'public/default', who, reach: 'any' },
        { appId: 'shop', gone: new AbortController().signal },
      );
    await once(csv, 'readable');
    csv.read();
    await readAsMuch();
    const read = slices.mock.calls.length;
    // There are twenty slices of a thousand devices.
    expect(read).toBeLessThan(6);
    csv.destroy();
    await readAsMuch();
    expect(slices.mock.calls.length).toBeLessThanOrEqual(read + 1);
    slices.mockRestore();
  });
});
