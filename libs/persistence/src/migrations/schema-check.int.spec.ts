import { createMetrics, HealthRegistry, Shutdown } from '@postrider/platform';
import { createEmptyDatabase, createThrowAwayDatabase, type ThrowAwayDatabase } from '@postrider/testing';
import { pino } from 'pino';
import { MIGRATIONS } from './migrations';
import { migrate } from './migrate';
import { SchemaCheck } from './schema-check.service';

describe('a process on a schema that is older than it needs', () => {
  const opened: ThrowAwayDatabase[] = [];

  afterAll(() => Promise.all(opened.map((database) => database.drop())));

  /** A process's check on a database, and the events of its log. */
  async function startOn(database: ThrowAwayDatabase): Promise<{ health: HealthRegistry; events: string[] }> {
    opened.push(database);
    const events: string[] = [];
    const write = (line: string): void => void events.push((JSON.parse(line) as { event: string }).event);
    const health = new HealthRegistry(new Shutdown(), createMetrics('test'));
    const logger = pino({ messageKey: 'event' }, { write });
    await new SchemaCheck(database.dataSource, logger, health).onModuleInit();
    return { health, events };
  }

  it('is not ready on an empty database, says what to do, and is ready and works once it is migrated', async () => {
    const empty = await createEmptyDatabase();
    const { health, events } = await startOn(empty);
    expect(events).toEqual(['schema.behind']);
    let works = false;
    const working = health.untilAbleToWork(1).then((isAble) => (works = isAble));
    const { ready, checks } = await health.report();
    expect(ready).toBe(false);
    expect(checks.schema).toMatchObject({
      ok: false,
      critical: true,
      error: expect.stringMatching(
        new RegExp(
          `^${MIGRATIONS.length} of ${MIGRATIONS.length} migrations are missing \\(First1763730000000, .* and \\d+ more\\): run "npm run migrate"$`,
        ),
      ) as unknown,
    });
    expect(works).toBe(false);
    await migrate(empty.dataSource);
    expect(await working).toBe(true);
    expect(await health.report()).toMatchObject({ ready: true, checks: { schema: { ok: true } } });
    expect(events).toEqual(['schema.behind', 'schema.current']);
  });

  it('is not ready on a half-migrated one, whichever migration is missing', async () => {
    const half = await createThrowAwayDatabase();
    await half.dataSource.query(
      `DELETE FROM migrations WHERE name IN ('TokenGuard1763920000000', 'Writes1763840000000')`,
    );
    const { health } = await startOn(half);
    expect((await health.report()).checks.schema?.error).toBe(
      `2 of ${MIGRATIONS.length} migrations are missing (Writes1763840000000, TokenGuard1763920000000): run "npm run migrate"`,
    );
  });

  it('is ready on one that is newer than it knows, and says nothing', async () => {
    const newer = await createThrowAwayDatabase();
    await newer.dataSource.query(
      `INSERT INTO migrations (timestamp, name) VALUES (9999999999999, 'Later9999999999999')`,
    );
    const { health, events } = await startOn(newer);
    expect((await health.report()).ready).toBe(true);
    expect(events).toEqual([]);
  });
});
