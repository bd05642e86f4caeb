import { MINUTE_MS } from '@postrider/domain';
import { AbstractLogger, DataSource, type QueryRunner } from 'typeorm';
import { ConfigError, parseDatabaseUrl, type Secret } from '@postrider/platform';
import pg from 'pg';
import { ENTITIES } from './entities';
import { First1763730000000 } from '../migrations/1763730000000-first';
import { Audience1763740000000 } from '../migrations/1763740000000-audience';
import { Fallback1763750000000 } from '../migrations/1763750000000-fallback';
import { Promo1763760000000 } from '../migrations/1763760000000-promo';
import { Engagement1763780000000 } from '../migrations/1763780000000-engagement';
import { Connection1763770000000 } from '../migrations/1763770000000-connection';
import { Steering1763790000000 } from '../migrations/1763790000000-steering';
import { Webhooks1763800000000 } from '../migrations/1763800000000-webhooks';
import { Overview1763810000000 } from '../migrations/1763810000000-overview';
import { InFlight1763820000000 } from '../migrations/1763820000000-in-flight';
import { Subscribed1763830000000 } from '../migrations/1763830000000-subscribed';
import { Writes1763840000000 } from '../migrations/1763840000000-writes';
import { ConnectionLedger1763850000000 } from '../migrations/1763850000000-connection-ledger';
import { SegmentSizes1763860000000 } from '../migrations/1763860000000-segment-sizes';
import { SignIns1763950000000 } from '../migrations/1763950000000-sign-ins';
import { UnwrittenFallbacks1763970000000 } from '../migrations/1763970000000-unwritten-fallbacks';
import { TokenGuard1763920000000 } from '../migrations/1763920000000-token-guard';
import { WaitsFor1763910000000 } from '../migrations/1763910000000-waits-for';
import { Erasures1763980000000 } from '../migrations/1763980000000-erasures';
import { PageLosses1763870000000 } from '../migrations/1763870000000-page-losses';
import { UserProof1763880000000 } from '../migrations/1763880000000-user-proof';
import { ChangeOfHands1763900000000 } from '../migrations/1763900000000-change-of-hands';
import { ReportedEvents1763993000000 } from '../migrations/1763993000000-reported-events';
import { PagesWaitingAgain1763995000000 } from '../migrations/1763995000000-pages-waiting-again';
import { UnclaimedPages1763991000000 } from '../migrations/1763991000000-unclaimed-pages';
import { PhoneKeys1764300000000 } from '../migrations/1764300000000-phone-keys';
import { TokenDrift1764300001000 } from '../migrations/1764300001000-token-drift';
import { MessageRevision1795392000300 } from '../migrations/20261123-c-message-revision';
import { PromoInterruptions1764300012000 } from '../migrations/1764300012000-promo-interruptions';
import { DeviceImports1795392000200 } from '../migrations/20261123-i-device-imports';
import { RemovedTokens1795392000100 } from '../migrations/20261123-i-removed-tokens';
import { Drafts1795478400300 } from '../migrations/20261124-c-drafts';
import { Templates1795478400310 } from '../migrations/20261124-c-templates';
import { DeliveryWorkers1795420000000 } from '../migrations/20261123-g-delivery-workers';
import { FrequencyCaps1795478400000 } from '../migrations/20261124-b-frequency-caps';
import { DeliveryPacks1795478430000 } from '../migrations/20261124-d-delivery-packs';
import { Languages1795478440000 } from '../migrations/20261124-e-languages';
import { CampaignTests1795478450000 } from '../migrations/20261124-f-campaign-tests';
import { ImportValidation1795478470000 } from '../migrations/20261124-h-import-validation';
import { ClickedDevices1795478480000 } from '../migrations/20261125-a-clicked-devices';
import { ErasuresByStatement1795478490000 } from '../migrations/20261125-b-erasures-by-statement';
import { MessageFilters1795478500000 } from '../migrations/20261125-c-message-filters';
import { ImportOrder1795478510000 } from '../migrations/20261125-d-import-order';
import { InstallationsKey1795478520000 } from '../migrations/20261125-e-installations-key';
import { SkippedDeliveries1795478530000 } from '../migrations/20261125-f-skipped-deliveries';
import { SubscribedChannels1795737600000 } from '../migrations/20261128-a-subscribed-channels';
import { ImportNames1795737610000 } from '../migrations/20261128-b-import-names';
import { SegmentRevisions1795737620000 } from '../migrations/20261128-c-segment-revisions';
import { FallbackTexts1795737630000 } from '../migrations/20261128-d-fallback-texts';
import { QuietHoursChanges1795737642000 } from '../migrations/20261129-a-quiet-hours-changes';
import { FallbackCredentials1795737652000 } from '../migrations/20261129-b-fallback-credentials';
import { SessionExpiry1795824000000 } from '../migrations/20261129-c-session-expiry';
import { ApnsTokens1795824010000 } from '../migrations/20261129-d-apns-tokens';
import { EndedSessions1795824020000 } from '../migrations/20261129-e-ended-sessions';
import { UnreleasedPublishes1795824030000 } from '../migrations/20261129-f-unreleased-publishes';
import { ImportLines1795824040000 } from '../migrations/20261129-g-import-lines';
import { ApplicationRevisions1795824050000 } from '../migrations/20261129-h-application-revisions';
import { UncheckedLedger1795824060000 } from '../migrations/20261129-i-unchecked-ledger';
import { PromoAssignmentsKey1795824070000 } from '../migrations/20261129-j-promo-assignments-key';
import { ApplicationRemovals1795824080000 } from '../migrations/20261130-a-application-removals';
import { PartitionsRepository } from '../partitions/partitions.repository';
import { releaseSnapshot, rows } from './executor';
import { LOCK_IDS } from './lock-ids';
import { ServerPool } from './server-pool';
import { isLockedOut, isUndefinedTable } from './sql-state';

/** Every migration, oldest first. */
export const MIGRATIONS = [
  First1763730000000,
  Audience1763740000000,
  Fallback1763750000000,
  Promo1763760000000,
  Connection1763770000000,
  Engagement1763780000000,
  Steering1763790000000,
  Webhooks1763800000000,
  Overview1763810000000,
  InFlight1763820000000,
  Subscribed1763830000000,
  Writes1763840000000,
  ConnectionLedger1763850000000,
  SegmentSizes1763860000000,
  SignIns1763950000000,
  UnwrittenFallbacks1763970000000,
  TokenGuard1763920000000,
  WaitsFor1763910000000,
  PageLosses1763870000000,
  UserProof1763880000000,
  ChangeOfHands1763900000000,
  Erasures1763980000000,
  ReportedEvents1763993000000,
  UnclaimedPages1763991000000,
  PhoneKeys1764300000000,
  TokenDrift1764300001000,
  PagesWaitingAgain1763995000000,
  PromoInterruptions1764300012000,
  RemovedTokens1795392000100,
  DeviceImports1795392000200,
  DeliveryWorkers1795420000000,
  MessageRevision1795392000300,
  FrequencyCaps1795478400000,
  DeliveryPacks1795478430000,
  Drafts1795478400300,
  Templates1795478400310,
  Languages1795478440000,
  CampaignTests1795478450000,
  ImportValidation1795478470000,
  ClickedDevices1795478480000,
  ErasuresByStatement1795478490000,
  MessageFilters1795478500000,
  ImportOrder1795478510000,
  InstallationsKey1795478520000,
  SkippedDeliveries1795478530000,
  SubscribedChannels1795737600000,
  ImportNames1795737610000,
  SegmentRevisions1795737620000,
  FallbackTexts1795737630000,
  QuietHoursChanges1795737642000,
  FallbackCredentials1795737652000,
  SessionExpiry1795824000000,
  ApnsTokens1795824010000,
  EndedSessions1795824020000,
  UnreleasedPublishes1795824030000,
  ImportLines1795824040000,
  ApplicationRevisions1795824050000,
  UncheckedLedger1795824060000,
  PromoAssignmentsKey1795824070000,
  ApplicationRemovals1795824080000,
];

/** The pause before a connection tries again to take the lock of the migrations. */
const LOCK_RETRY_MS = 250;
/**
 * How often a migration tries again that did not get the lock of a table in time. Between the tries other statements go
 * first.
 */
const TABLE_LOCK_RETRIES = 100;
const TABLE_LOCK_RETRY_MS = 1_000;
/** Of the tries this many are one line: each takes as long as a statement may wait for a lock. */
const TRIES_A_LINE = 10;

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

/**
 * Brings the schema up to date and makes the next partitions of the ledger. If several processes migrate at the same
 * time, one works and the others wait. A migration that is killed has changed nothing, or continues with the next call.
 * If a migration cannot get the lock of a table within `lockTimeoutMs`, it lets the statements behind it go first, and
 * tries again.
 *
 * @param tell is called with a line for the operator: that a migration waits for a table, and which one failed
 * @returns the names of the migrations that ran
 * @throws Error if the database is new and cannot store every text
 */
export async function migrate(
  dataSource: DataSource,
  tell: (line: string) => void = () => undefined,
): Promise<string[]> {
  const runner = dataSource.createQueryRunner();
  try {
    await takeMigrationLock(runner);
    const before = new Set(await migrationsThatRan(dataSource));
    if (before.size === 0) await expectUnicode(dataSource);
    await runMigrations(dataSource, tell);
    await new PartitionsRepository(dataSource).ensure(new Date());
    await runner.commitTransaction();
    return (await migrationsThatRan(dataSource)).filter((name) => !before.has(name));
  } finally {
    // A connection that returns to the pool must not keep the lock.
    if (runner.isTransactionActive) await runner.rollbackTransaction().catch(() => undefined);
    await runner.release();
  }
}

/**
 * Checks that the database has the encoding UTF8. In another one, every text of other alphabets, or with an emoji, is
 * an error of the database.
 *
 * @throws Error if it has another one
 */
async function expectUnicode(dataSource: DataSource): Promise<void> {
  const [found] = await rows<{ encoding: string }>(dataSource, `SELECT current_setting('server_encoding') AS encoding`);
  if (found?.encoding === 'UTF8') return;
  throw new Error(
    `The database has the encoding ${found?.encoding}, which cannot store every text. Make one with UTF8: CREATE DATABASE … ENCODING 'UTF8' TEMPLATE template0`,
  );
}

async function runMigrations(dataSource: DataSource, tell: (line: string) => void): Promise<void> {
  let failure = '';
  // TypeORM itself would write each try to the console as a migration that failed.
  dataSource.setOptions({ logger: new FailedMigrations((line) => (failure = line)) });
  for (let tries = 1; ; tries++) {
    try {
      await dataSource.runMigrations();
      return;
    } catch (error) {
      if (!isLockedOut(error) || tries > TABLE_LOCK_RETRIES) {
        if (failure !== '') tell(failure);
        throw error;
      }
      if (tries % TRIES_A_LINE === 1) {
        tell(`A migration waits for a table that other statements use (try ${tries} of ${TABLE_LOCK_RETRIES + 1}).`);
      }
      await new Promise((later) => setTimeout(later, TABLE_LOCK_RETRY_MS));
    }
  }
}

/** Gets from TypeORM which migration failed, and why, and nothing else. */
class FailedMigrations extends AbstractLogger {
  constructor(private readonly onFailure: (line: string) => void) {
    super(false);
  }

  override logMigration(line: string): void {
    this.onFailure(line);
  }

  protected writeLog(): void {
    // Everything else is logged by those who call TypeORM.
  }
}

/** The names of the migrations that ran on this database, in that order. */
export async function migrationsThatRan(dataSource: DataSource): Promise<string[]> {
  try {
    const found = await rows<{ name: string }>(dataSource, `SELECT name FROM migrations ORDER BY id`);
    return found.map(({ name }) => name);
  } catch (error) {
    if (isUndefinedTable(error)) return [];
    throw error;
  }
}

/**
 * Begins a transaction that holds the lock. Each try is a transaction of its own: an index that is built concurrently
 * waits for every transaction that ran a statement when the build began.
 */
async function takeMigrationLock(runner: QueryRunner): Promise<void> {
  for (;;) {
    await runner.startTransaction();
    const [answer] = (await runner.query(`SELECT pg_try_advisory_xact_lock($1) AS "isMine"`, [
      LOCK_IDS.migrations,
    ])) as { isMine: boolean }[];
    if (answer?.isMine) return releaseSnapshot(runner);
    await runner.rollbackTransaction();
    await new Promise((later) => setTimeout(later, LOCK_RETRY_MS));
  }
}
