import { once } from 'node:events';
import { get } from 'node:http';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { rows } from '@postrider/persistence';
import { startTestGateway, type TestGateway } from '../testing/test-gateway';
import { HeavyReads } from '../heavy-reads/heavy-reads.service';
import { ExportSegment } from './export-segment.service';

const DEVICES = 50_000;

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
    setFlagsFromString('--expose-gc');
    const collect = runInNewContext('gc') as () => void;
    const retained = (): number => {
      collect();
      const { heapUsed, arrayBuffers } = process.memoryUsage();
      return heapUsed + arrayBuffers;
    };
    let bytes = 0;
    let lines = 0;
    const samples: number[] = [];
    await new Promise<void>((resolve, reject) => {
      get(url, (answer) => {
        answer.on('data', (piece: Buffer) => {
          bytes += piece.length;
          for (let at = piece.indexOf(10); at !== -1; at = piece.indexOf(10, at + 1)) lines += 1;
          if (bytes > samples.length * 2_000_000) samples.push(retained());
        });
        answer.on('end', resolve).on('error', reject);
      }).on('error', reject);
    });
    expect(lines).toBe(DEVICES + 1);
    expect(samples.length).toBeGreaterThan(7);
    expect(Math.max(...samples) - (samples[0] ?? 0)).toBeLessThan(8 * 1_048_576);
  });

  it('reads no further than its caller takes, and no more at all when he hangs up', async () => {
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
    await new Promise((resolve) => setImmediate(resolve));
    await rows(gateway.database, 'SELECT pg_sleep(0.1)');
    const read = slices.mock.calls.length;
    // Fifty slices of a thousand devices are there.
    expect(read).toBeLessThan(6);
    csv.destroy();
    await rows(gateway.database, 'SELECT pg_sleep(0.1)');
    expect(slices.mock.calls.length).toBeLessThanOrEqual(read + 1);
    slices.mockRestore();
  });
});
