import { MINUTE_MS } from '@postrider/domain';
import { ConfigError, parseDatabaseUrl, type Secret } from '@postrider/platform';
import pg from 'pg';
import { DataSource } from 'typeorm';
import { MIGRATIONS } from '../migrations/migrations';
import { ENTITIES } from './entities';
import { ServerPool } from '../database/server-pool';

/** Prepared statements live as long as their connection. This limit removes those that name days that are over. */
const CONNECTION_LIFETIME_SECONDS = 3_600;
/**
 * An idle connection is closed after this time. With the driver's default of ten seconds, many connections would plan
 * their statements again.
 */
const IDLE_CONNECTION_MS = MINUTE_MS;
/**
 * The driver sends the first keep-alive probe after this time. A server that vanished while a connection was idle is
 * noticed after ten unanswered probes, one second apart.
 */
const KEEP_ALIVE_AFTER_MS = 10_000;
/** Few statements take longer. The server of one that does is asked whether it still runs. */
const SILENT_AFTER_MS = 15_000;

/** Settings of a data source beside its URL and the size of its pool. */
export interface DataSourceOptions {
  applicationName?: string;
  statementTimeoutMs?: number;
  /** How long a statement waits for a lock. 0: without limit. */
  lockTimeoutMs?: number;
  /** After which silence the server of a statement is asked whether it still runs it. */
  silentAfterMs?: number;
}

/**
 * Makes a TypeORM data source for `databaseUrl`, not yet connected. Text never becomes SQL: statements take parameters.
 *
 * @param databaseUrl in the form of `DATABASE_URL`; with several servers, a connection goes to the one that accepts
 * writes
 * @param poolSize most connections that this process opens
 * @param options the name of the connections in PostgreSQL, and the time limit of a statement (0: none). Through a
 * pooler the role's `statement_timeout` applies instead
 * @throws ConfigError if the URL cannot be read
 */
export function createDataSource(
  databaseUrl: Secret,
  poolSize: number,
  {
    applicationName = 'postrider',
    statementTimeoutMs = MINUTE_MS,
    lockTimeoutMs = 0,
    silentAfterMs = SILENT_AFTER_MS,
  }: DataSourceOptions = {},
): DataSource {
  const { connectTimeoutMs, ...address } = parseDatabaseUrl(databaseUrl.reveal());
  expectUsable(address.servers);
  return new DataSource({
    type: 'postgres',
    url: address.servers[0],
    // The driver takes its pool class from here, and passes `extra` to it.
    driver: { ...pg, Pool: ServerPool },
    poolSize,
    applicationName,
    entities: ENTITIES,
    migrations: MIGRATIONS,
    migrationsTransactionMode: 'each',
    synchronize: false,
    logging: false,
    extra: {
      ...address,
      statementTimeoutMs,
      lockTimeoutMs,
      silentAfterMs,
      connectionTimeoutMillis: connectTimeoutMs,
      maxLifetimeSeconds: CONNECTION_LIFETIME_SECONDS,
      idleTimeoutMillis: IDLE_CONNECTION_MS,
      keepAlive: true,
      keepAliveInitialDelayMillis: KEEP_ALIVE_AFTER_MS,
    },
  });
}

/**
 * Lets the driver read each URL, so that missing certificate files are noticed now.
 *
 * @throws ConfigError
 */
function expectUsable(servers: readonly string[]): void {
  for (const connectionString of servers) {
    try {
      new pg.Client({ connectionString });
    } catch (error) {
      const reason = error instanceof Error ? error.message : String(error);
      throw new ConfigError('DATABASE_URL', `a URL that the driver can read (${reason})`, connectionString);
    }
  }
}
