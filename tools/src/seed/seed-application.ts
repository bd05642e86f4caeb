import { Client } from 'pg';
import { copyInto, type RowWriter } from './copy-rows';
import { drawPopulation, type SeedDevice, USUAL_MIX, type VendorMix, versionKey } from './population';

/** The options of seeding. */
interface SeedOptions {
  appId: string;
  devices: number;
  mix?: VendorMix;
  /** Every device gets a usable token. */
  reachable?: boolean;
  /** Leaves out what autovacuum does a minute later: it takes longer than to write a few thousand devices. */
  withoutVacuum?: boolean;
  onProgress?: (devices: number) => void;
}

/** The columns of `users` that a seed fills, as `userCells` gives them. */
export const USER_COLUMNS = ['app_id', 'user_id', 'tags', 'tag_values', 'attributes'];
/** The columns of `installations` that a seed fills, as `deviceCells` gives them. */
export const DEVICE_COLUMNS = [
  'app_id',
  'installation_id',
  'user_id',
  'user_since',
  'device_type',
  'push_type',
  'token',
  'token_status',
  'token_registered_at',
  'os_version',
  'os_version_key',
  'client_version',
  'client_version_key',
  'launch_count',
  'launch_time',
  'install_date',
  'tags',
  'tag_values',
  'channels',
  'registration',
  'time_zone',
  'locale',
  'latitude',
  'longitude',
  'created_at',
];
/** Above this number, dropping the indexes and building them again is quicker than keeping them. */
const BULK_FROM = 20_000;
const PROGRESS_EVERY = 50_000;
/** A condition: the user is one of a seed. Others may have ids that begin in the same way (`user-anna`). */
const IS_SEEDED = `user_id LIKE 'user-%' AND user_id ~ '^user-[0-9]+$'`;

/**
 * Replaces the seeded population (users `user-<n>`) of an application by a new one, by COPY. @returns devices per second
 *
 * @throws when the application does not exist
 */
export async function seedApplication(databaseUrl: string, options: SeedOptions): Promise<number> {
  const [main, side] = [new Client({ connectionString: databaseUrl }), new Client({ connectionString: databaseUrl })];
  await Promise.all([main.connect(), side.connect()]);
  try {
    const found = await main.query('SELECT 1 FROM applications WHERE app_id = $1', [options.appId]);
    if (found.rowCount === 0) throw new Error(`There is no application "${options.appId}".`);
    const begun = performance.now();
    for (const client of [main, side]) await begin(client);
    await main.query(`DELETE FROM installations WHERE app_id = $1 AND ${IS_SEEDED}`, [options.appId]);
    await side.query(`DELETE FROM users WHERE app_id = $1 AND ${IS_SEEDED}`, [options.appId]);
    const load = (): Promise<void> => copyPopulation(main, side, options);
    await (options.devices >= BULK_FROM ? withoutSecondaryIndexes(main, 'installations', load) : load());
    await side.query('COMMIT');
    await main.query('COMMIT');
    const speed = options.devices / ((performance.now() - begun) / 1_000);
    if (!options.withoutVacuum) await vacuum(main);
    return speed;
  } finally {
    await Promise.all([main.end(), side.end()]);
  }
}

/** Does what autovacuum does a minute later: a count reads only the index for vacuumed rows. */
async function vacuum(client: Client): Promise<void> {
  await client.query('VACUUM (ANALYZE) installations');
  await client.query('ANALYZE users');
}

/** Foreign keys are checked once, above, instead of row by row, where the connection may say so (superuser). */
async function begin(client: Client): Promise<void> {
  await client.query('BEGIN');
  await client.query('SAVEPOINT before_role');
  await client
    .query(`SET LOCAL session_replication_role = replica`)
    .catch(() => client.query('ROLLBACK TO SAVEPOINT before_role'));
}

async function copyPopulation(main: Client, side: Client, options: SeedOptions): Promise<void> {
  const { appId, devices, mix = USUAL_MIX, reachable } = options;
  const now = new Date();
  const users = copyInto(side, 'users', USER_COLUMNS);
  const installations = copyInto(main, 'installations', DEVICE_COLUMNS);
  let lastUser: SeedDevice['user'] | undefined;
  let done = 0;
  for (const device of drawPopulation(devices, mix, now, reachable)) {
    if (device.user !== lastUser) {
      lastUser = device.user;
      await users.write(userCells(appId, device.user));
    }
    const waiting = installations.write(deviceCells(appId, device));
    if (waiting) await waiting;
    if (++done % PROGRESS_EVERY === 0) options.onProgress?.(done);
  }
  await Promise.all([users.end(), installations.end()]);
}

/** A user as a row of `users`. */
export function userCells(appId: string, user: SeedDevice['user']): Parameters<RowWriter['write']>[0] {
  return [appId, user.userId, user.tags, user.tagValues, user.attributes];
}

/** A device as a row of `installations`. */
export function deviceCells(appId: string, device: SeedDevice): Parameters<RowWriter['write']>[0] {
  const { user, place } = device;
  return [
    appId,
    device.installationId,
    user.userId,
    device.installDate,
    device.deviceType,
    device.pushType,
    device.token,
    device.tokenStatus,
    device.installDate,
    device.osVersion,
    versionKey(device.osVersion),
    device.clientVersion,
    versionKey(device.clientVersion),
    device.launchCount,
    device.launchTime,
    device.installDate,
    user.tags,
    user.tagValues,
    device.channels,
    { deviceModel: device.model },
    place.timeZone,
    place.locale,
    device.latitude,
    device.longitude,
    device.installDate,
  ];
}

/**
 * Runs `load` with the secondary indexes of `table` out of the way, and builds them afterwards: several times faster than
 * keeping them up to date row by row. All in the caller's transaction, so a load that fails leaves everything as it was.
 */
async function withoutSecondaryIndexes(client: Client, table: string, load: () => Promise<void>): Promise<void> {
  const { rows } = await client.query<{ indexname: string; indexdef: string }>(
    `SELECT indexname, indexdef FROM pg_indexes
      WHERE schemaname = current_schema() AND tablename = $1 AND indexname <> $1 || '_pkey'`,
    [table],
  );
  for (const { indexname } of rows) await client.query(`DROP INDEX "${indexname}"`);
  await load();
  await client.query(`SET LOCAL maintenance_work_mem = '512MB'`);
  for (const { indexdef } of rows) await client.query(indexdef);
}
