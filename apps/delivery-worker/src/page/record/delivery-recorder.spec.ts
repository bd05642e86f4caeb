import { createLogger } from '@postrider/platform';
import type { PageRun } from '../run/page-run';
import { DeliveryRecorder, type RecorderServices } from './delivery-recorder';

it('writes nothing but its own lines into the log, however many pages wait for PostgreSQL with their end', async () => {
  const warnings: string[] = [];
  const onWarning = ({ name }: Error): number => warnings.push(name);
  process.on('warning', onWarning);
  try {
    const ending = new AbortController();
    const refused = Object.assign(new Error('connect ECONNREFUSED'), { code: 'ECONNREFUSED' });
    const recorder = new DeliveryRecorder({
      store: { settle: () => Promise.reject(refused) },
      logger: createLogger('test', { logLevel: 'silent', logFormat: 'json' }),
      window: { recorded: () => undefined },
      deadline: ending.signal,
    } as unknown as RecorderServices);
    const ends = Array.from({ length: 20 }, (_, n) => {
      const page = { pageId: String(n) };
      const run = { key: page, page, claimed: page, stopCause: null, takeUnrecorded: () => 0 } as unknown as PageRun;
      return recorder.settle(run, () => ({}) as never).catch((error: unknown) => error);
    });
    // By then the first attempt of each has failed, and Node.js has warned if it warns.
    for (let turn = 0; turn < 5; turn++) await new Promise((next) => setImmediate(next));
    ending.abort();
    expect(new Set(await Promise.all(ends))).toEqual(new Set([refused]));
    expect(warnings).toEqual([]);
  } finally {
    process.off('warning', onWarning);
  }
});
