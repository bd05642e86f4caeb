import { Secret } from '@postrider/platform';
import { createThrowAwayDatabase, type ThrowAwayDatabase } from '@postrider/testing';
import { pino } from 'pino';
import { createDataSource, type DataSourceOptions } from '../module/data-source';
import { StatementLimit } from './statement-limit.service';

describe('the limit of a statement', () => {
  let database: ThrowAwayDatabase;

  beforeAll(async () => (database = await createThrowAwayDatabase()));
  afterAll(() => database.drop());

  /** What a process logs at its start, and the limit that each of its connections has. */
  async function startWith(options?: DataSourceOptions): Promise<{ events: string[]; limit: unknown }> {
    const events: string[] = [];
    const write = (line: string): void => void events.push((JSON.parse(line) as { event: string }).event);
    const dataSource = await createDataSource(new Secret(database.url), 2, options).initialize();
    await new StatementLimit(dataSource, pino({ messageKey: 'event' }, { write })).onModuleInit();
    const limit: unknown = await dataSource.query(`SELECT current_setting('statement_timeout') AS limit`);
    await dataSource.destroy();
    return { events, limit };
  }

  it('is a minute, of which nothing is said', async () => {
    expect(await startWith()).toEqual({ events: [], limit: [{ limit: '1min' }] });
  });

  it('is told to be missing where there is none', async () => {
    const unlimited = { events: ['database.statements-unlimited'], limit: [{ limit: '0' }] };
    expect(await startWith({ statementTimeoutMs: 0 })).toEqual(unlimited);
  });
});
