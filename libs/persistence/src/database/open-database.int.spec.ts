import { createMetrics, HealthRegistry, LedgerClock, type Logger, Secret, Shutdown } from '@postrider/platform';
import { createThrowAwayDatabase, openTcpGate, type ThrowAwayDatabase } from '@postrider/testing';
import { pino } from 'pino';
import { ClockKeeper } from '../clock/clock-keeper.service';
import { createDataSource } from '../module/data-source';
import type { Database } from './executor';
import { openDatabase } from './open-database';
import { StatementLimit } from './statement-limit.service';

interface Given {
  dataSource: Database;
  logger: Logger;
}

function clockKeeper({ dataSource, logger }: Given): ClockKeeper {
  const clock = new LedgerClock({ monotonic: () => performance.now(), wall: () => Date.now() });
  const [metrics, shutdown] = [createMetrics('test'), new Shutdown()];
  return new ClockKeeper(dataSource, clock, logger, metrics, new HealthRegistry(shutdown, metrics), shutdown);
}

describe('a process that starts', () => {
  let database: ThrowAwayDatabase;

  beforeAll(async () => {
    database = await createThrowAwayDatabase();
  });
  afterAll(() => database.drop());

  /** @param warned is called with each line of the log */
  const logger = (warned: (line: Record<string, unknown>) => void = () => undefined): pino.Logger =>
    pino({ messageKey: 'event' }, { write: (line: string) => warned(JSON.parse(line) as Record<string, unknown>) });

  it('waits for PostgreSQL while that is away, and says so once', async () => {
    const url = new URL(database.url);
    const gate = await openTcpGate({ host: url.hostname, port: Number(url.port) });
    url.port = String(gate.port);
    await gate.shut();
    const lines: Record<string, unknown>[] = [];
    const opening = openDatabase(
      createDataSource(new Secret(url.href), 2),
      logger((line) => {
        lines.push(line);
        void gate.open();
      }),
    );
    const opened = await opening;
    expect(await opened.query('SELECT 1 AS one')).toEqual([{ one: 1 }]);
    expect(lines).toMatchObject([
      { event: 'database.unavailable', reason: expect.stringContaining('ECONNREFUSED') as string },
    ]);
    await opened.destroy();
    await gate.shut();
  });

  it.each([
    [
      'asks for the limit of statements',
      (given: Given) => new StatementLimit(given.dataSource, given.logger).onModuleInit(),
    ],
    ['reads the clock', (given: Given) => clockKeeper(given).onModuleInit()],
  ])('waits for PostgreSQL when that goes away before it %s', async (_, begin) => {
    const url = new URL(database.url);
    const gate = await openTcpGate({ host: url.hostname, port: Number(url.port) });
    url.port = String(gate.port);
    const lines: Record<string, unknown>[] = [];
    const warned = logger((line) => {
      lines.push(line);
      void gate.open();
    });
    const dataSource = await openDatabase(createDataSource(new Secret(url.href), 2), warned);
    await gate.shut();
    await begin({ dataSource, logger: warned });
    expect(lines).toMatchObject([{ event: 'database.unavailable' }]);
    await dataSource.destroy();
    await gate.shut();
  });

  it('gives up when PostgreSQL stays away', async () => {
    const url = new URL(database.url);
    const gate = await openTcpGate({ host: url.hostname, port: Number(url.port) });
    url.port = String(gate.port);
    await gate.shut();
    await expect(openDatabase(createDataSource(new Secret(url.href), 2), logger(), 0)).rejects.toMatchObject({
      code: 'ECONNREFUSED',
    });
  });

  it('fails at once when trying again is no use', async () => {
    const url = new URL(database.url);
    url.pathname = '/no_such_database';
    await expect(openDatabase(createDataSource(new Secret(url.href), 2), logger())).rejects.toMatchObject({
      code: '3D000',
    });
  });
});
