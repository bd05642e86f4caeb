import type { WaitingDeliveriesRepository } from '@postrider/persistence';
import type { Shutdown } from '@postrider/platform';
import { untilTrue } from '@postrider/testing';
import { pino } from 'pino';
import type { MessageCache } from './message-cache.service';
import type { WaitingPublisher } from './waiting-publisher.service';
import { WaitingReader } from './waiting-reader.service';

describe('an edge that reads what waits for its devices while PostgreSQL is away', () => {
  it('logs one warning for all its attempts, and every other error', async () => {
    const lines: Record<string, unknown>[] = [];
    const logger = pino(
      { messageKey: 'event', formatters: { level: (level) => ({ level }) } },
      { write: (line: string) => void lines.push(JSON.parse(line) as Record<string, unknown>) },
    );
    let reason: Error = Object.assign(new Error('connect ECONNREFUSED'), { code: 'ECONNREFUSED' });
    let reads = 0;
    const waiting = { findOnEdge: () => ++reads && Promise.reject(reason) } as unknown as WaitingDeliveriesRepository;
    const delivery = {
      hasDevices: true,
      knownPageIds: [],
      settled: { startReading: () => 0 },
    } as unknown as WaitingPublisher;
    const shutdown = { isShuttingDown: false } as Shutdown;
    const reader = new WaitingReader('edge', logger, shutdown, delivery, {} as MessageCache, waiting);
    const readAll = async (): Promise<void> => {
      const before = reads;
      reader.requestAll();
      await untilTrue(() => reads > before);
    };

    for (let times = 0; times < 3; times++) await readAll();
    expect(lines).toMatchObject([{ level: 'warn', event: 'waiting.not-read', reason: reason.message }]);
    expect(lines[0]).not.toHaveProperty('err');

    reason = new TypeError('a mistake');
    await readAll();
    await untilTrue(() => lines.length === 2);
    expect(lines[1]).toMatchObject({ level: 'warn', event: 'waiting.not-read', err: { message: 'a mistake' } });
  });
});
