import { DeviceImportsRepository, rows } from '@postrider/persistence';
import fc from 'fast-check';
import { TestImports } from './testing/test-imports';

/** When the app registered its devices and users were edited. Lines are older, newer, or have no time. */
const REGISTERED = '2026-03-01T00:00:00.000Z';
const TIMES = [null, '2026-02-01T00:00:00.000Z', '2026-04-01T00:00:00.000Z', '2026-05-01T00:00:00.000Z'];

/** A line of a file; null: the cell is empty. */
interface Line {
  token: string;
  user: string | null;
  time: string | null;
  locale: string | null;
  version: string | null;
  channel: string | null;
  team: string | null;
  level: string | null;
}

const oneOf = <T>(...values: T[]): fc.Arbitrary<T> => fc.constantFrom(...values);
const LINE: fc.Arbitrary<Line> = fc.record({
  token: oneOf('app', 'file-1', 'file-2', 'file-3'),
  user: oneOf(null, 'ada', 'bob', 'eve'),
  time: oneOf(...TIMES),
  locale: oneOf(null, 'nl', 'de'),
  version: oneOf(null, '1', '2'),
  channel: oneOf(null, 'sport', 'news'),
  team: oneOf(null, 'red', 'blue', 'true'),
  level: oneOf(null, '1', '2'),
});

const MAPPING = {
  deviceToken: { column: '1' },
  userId: { column: '2' },
  launchTime: { column: '3' },
  locale: { column: '4' },
  osVersion: { column: '5' },
  subscriptions: { column: '6' },
  'tags.team': { column: '7' },
  'attributes.level': { column: '8' },
};

/**
 * The expected users and devices: lines are applied one by one in the order of the file, and the last line that may
 * change a fact wins.
 */
class LastLineWins {
  readonly users = new Map<string, { isEdited: boolean; facts: Map<string, string> }>();
  readonly devices = new Map<string, { isRegistered: boolean; facts: Map<string, string>; channels: Set<string> }>();

  take(line: Line): void {
    const isNewer = line.time !== null && line.time > REGISTERED;
    const userId = line.user ?? this.devices.get(line.token)?.facts.get('user') ?? `guest of ${line.token}`;
    this.#takeUser(userId, line, isNewer);
    this.#takeDevice(userId, line, isNewer);
  }

  #takeUser(userId: string, { team, level }: Line, isNewer: boolean): void {
    const user = this.users.get(userId) ?? { isEdited: false, facts: new Map() };
    this.users.set(userId, user);
    for (const [name, value] of said({ team, level })) {
      // Eve was edited by her application, which gave her a team and no level.
      if (!user.isEdited || isNewer || name === 'level') user.facts.set(name, value);
    }
  }

  #takeDevice(userId: string, { token, channel, time, locale, version }: Line, isNewer: boolean): void {
    const made = { isRegistered: false, facts: new Map<string, string>(), channels: new Set<string>() };
    const device = this.devices.get(token) ?? made;
    this.devices.set(token, device);
    if (device.isRegistered && !isNewer) return;
    if (device.facts.get('user') !== userId) device.channels.clear();
    if (channel !== null) device.channels.add(`public/${channel}`);
    for (const [name, value] of said({ user: userId, time, locale, version })) device.facts.set(name, value);
  }
}

function said(values: Record<string, string | null>): [string, string][] {
  return Object.entries(values).filter((entry): entry is [string, string] => entry[1] !== null);
}

const textOf = (lines: readonly Line[]): string =>
  lines
    .map(({ token, user, time, locale, version, channel, team, level }) =>
      [token, user, time, locale, version, channel && `public/${channel}`, team, level]
        .map((cell) => cell ?? '')
        .join(),
    )
    .join('\n');

/** The files of a worker that is killed before it commits a stretch, if `dies` says so. */
class DyingFiles extends DeviceImportsRepository {
  constructor(
    database: TestImports['database'],
    private readonly dies: () => boolean,
  ) {
    super(database);
  }

  override async advance(...of: Parameters<DeviceImportsRepository['advance']>): Promise<number> {
    const changed = await super.advance(...of);
    if (this.dies()) throw new Error('killed');
    return changed;
  }
}

describe('the later line of a file', () => {
  const imports = new TestImports();
  let applications = 0;

  beforeAll(async () => {
    await imports.open();
    await imports.begin();
  });
  afterAll(() => imports.close());

  /** An application with a device that its app registered for Eve, whom it edited. */
  async function makeApplication(): Promise<string> {
    const appId = `order-${(applications += 1)}`;
    await imports.makeApplication(appId);
    await rows(
      imports.database,
      `INSERT INTO users (app_id, user_id, tags, tag_values, updated_at) VALUES ($1, 'eve', '{team}', '{"team":"own"}', $2)`,
      [appId, REGISTERED],
    );
    await rows(
      imports.database,
      `INSERT INTO installations (app_id, installation_id, user_id, push_type, token, token_registered_at, locale, launch_time, tags,
         tag_values, channels) VALUES ($1, gen_random_uuid(), 'eve', 'hms', 'app', $2, 'en', $2, '{team}', '{"team":"own"}',
         '{public/own}')`,
      [appId, REGISTERED],
    );
    return appId;
  }

  function expected(lines: readonly Line[]): { users: unknown[]; devices: unknown[] } {
    const model = new LastLineWins();
    model.users.set('eve', { isEdited: true, facts: new Map([['team', 'own']]) });
    const app = new Map([
      ['user', 'eve'],
      ['locale', 'en'],
      ['time', REGISTERED],
    ]);
    model.devices.set('app', { isRegistered: true, facts: app, channels: new Set(['public/own']) });
    for (const line of lines) model.take(line);
    const factsOf = (userId: string): object => {
      const facts = model.users.get(userId)?.facts;
      const team = facts?.get('team');
      return {
        tags: team === undefined ? [] : ['team'],
        tagValues: team === undefined || team === 'true' ? {} : { team },
        level: facts?.get('level') ?? null,
      };
    };
    const nameOf = (userId = ''): string => (userId.startsWith('guest') ? 'guest' : userId);
    return {
      users: [...model.users.keys()]
        .filter((userId) => !userId.startsWith('guest'))
        .sort()
        .map((userId) => ({ userId, ...factsOf(userId) })),
      devices: [...model.devices.keys()].sort().map((token) => {
        const { facts, channels } = model.devices.get(token) ?? { facts: new Map<string, string>(), channels: [] };
        return {
          token,
          userId: nameOf(facts.get('user')),
          isGuest: nameOf(facts.get('user')) === 'guest' ? true : null,
          locale: facts.get('locale') ?? null,
          osVersion: facts.get('version') ?? null,
          time: facts.get('time') ?? null,
          channels: [...channels].sort(),
          ...factsOf(facts.get('user') ?? ''),
        };
      }),
    };
  }

  async function stored(appId: string): Promise<{ users: unknown[]; devices: unknown[] }> {
    const users = await rows(
      imports.database,
      `SELECT user_id AS "userId", tags, tag_values AS "tagValues", attributes->>'level' AS level FROM users
       WHERE app_id = $1 AND user_id NOT LIKE 'guest-%' ORDER BY user_id`,
      [appId],
    );
    const devices = await rows(
      imports.database,
      `SELECT token, CASE WHEN i.user_id LIKE 'guest-%' THEN 'guest' ELSE i.user_id END AS "userId",
         registration->'isGuest' AS "isGuest", locale, os_version AS "osVersion", channels, i.tags,
         i.tag_values AS "tagValues", u.attributes->>'level' AS level,
         CASE WHEN launch_time < '2026-06-01' THEN to_char(launch_time AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"') END AS time
       FROM installations i JOIN users u USING (app_id, user_id) WHERE app_id = $1 ORDER BY token`,
      [appId],
    );
    return { users, devices };
  }

  it('wins, wherever the file is divided, when workers are killed in the middle, and once if the file comes again', async () => {
    const scenario = fc.record({
      lines: fc.array(LINE, { minLength: 1, maxLength: 12 }),
      stretch: fc.integer({ min: 1, max: 13 }),
      // A worker that is not told to stop writes up to three stretches at a time.
      isStopped: fc.boolean(),
      deaths: fc.array(fc.boolean(), { maxLength: 6 }),
    });
    await fc.assert(
      fc.asyncProperty(scenario, async ({ lines, stretch, isStopped, deaths }) => {
        const appId = await makeApplication();
        const dying = deaths.values();
        const files = new DyingFiles(imports.database, () => dying.next().value === true);
        // A file that is validated has stretches as long as its rate; FCM is not asked about tokens of HMS.
        const options = {
          mapping: MAPPING,
          pushType: 'hms',
          hasHeader: false,
          validationRate: stretch,
          fingerprint: 1,
        } as const;
        const jobId = await imports.upload(textOf(lines), 'mapping', { ...options, appId });
        const signal = isStopped ? AbortSignal.abort() : new AbortController().signal;
        let outcome = 'unfinished';
        while (outcome === 'unfinished') {
          const turn = imports.turn(jobId, { appId, files, mayWait: true, signal });
          outcome = await turn.catch(() => 'unfinished');
        }
        expect(outcome).toBe('done');
        expect(await stored(appId)).toEqual(expected(lines));
        const before = await imports.rowsOf(appId);
        const again = await imports.upload(textOf(lines), 'mapping', { ...options, appId });
        while ((await imports.turn(again, { appId, mayWait: true })) === 'unfinished');
        expect(await imports.rowsOf(appId)).toEqual(before);
        expect(await imports.files.find({ appId, jobId: again })).toMatchObject({
          created: 0,
          updated: 0,
          unchanged: lines.length,
        });
        const other = await imports.upload(textOf(lines), 'mapping', { ...options, appId, fingerprint: 2 });
        while ((await imports.turn(other, { appId, mayWait: true })) === 'unfinished');
        expect(await stored(appId)).toEqual(expected([...lines, ...lines]));
      }),
      { numRuns: 40 },
    );
  });
});
