import { Inject, Injectable } from '@nestjs/common';
import type { DeviceId, PushVendor } from '@postrider/domain';
import { type Database, DATABASE, type Executor, rows } from '../database/executor';
import { deviceLock } from '../database/lock-ids';
import { preparedRows } from '../database/prepared-rows';
import { parameter, sql } from '../sql';
import { type Installation, INSTALLATION_COLUMNS } from './installation';
import { registeringAlone, registeringBatch, type Registrations } from './registering';
import { type SentRegistration, tokenKey } from './registration';
import { proofWith, userProof } from './user-proof';

/** What says which device is meant: its installation, its vendor token, or both. */
export interface DeviceNames {
  installationId: string;
  pushType: PushVendor | null;
  token: string | null;
}

/** A registered installation, and whether it came from another user just now. */
export type RegisteredInstallation = Installation & { changedHands: boolean };

/** The vendor token of one installation of one user. A null token means that the device has none now. */
export interface DeviceTokenChange {
  installationId: string;
  userId: string;
  /** Null keeps what the installation has. */
  pushType: PushVendor | null;
  token: string | null;
  tokenStatus: string | null;
  /** Whether the user is proved, by its hash or by the application's backend. */
  isProved: boolean;
}

/** An installation that is about to get a vendor token, and whose it will be. */
export interface TokenTaker {
  installationId: string;
  userId: string;
  pushType: PushVendor;
  token: string;
}

/** Registers devices, one vendor token for one installation. */
@Injectable()
export class RegistrationsRepository {
  constructor(@Inject(DATABASE) private readonly database: Database) {}

  /**
   * Registers devices of one application in one statement: makes their users and installations, or replaces the state of those
   * that are their users' already. It waits for nobody who holds a user or an installation, so it can neither be held up nor
   * be part of a deadlock.
   *
   * Left out, with nothing changed, are registrations that need more than this (the device gets another owner, its
   * token is another installation's, its id is unknown) and those that met with somebody else: `registerAlone` does
   * them.
   *
   * @param asked each id once, and each vendor token once
   * @returns what was registered, by the id in `registrations`
   * @throws a unique violation when a named installation's new token was taken at the same moment; nothing has happened then
   */
  async registerBatch(asked: Registrations): Promise<Map<string, RegisteredInstallation>> {
    const made = await preparedRows<RegisteredInstallation & { askedId: string }>(
      this.database,
      registeringBatch(asked),
    );
    return new Map(made.map(({ askedId, ...installation }) => [askedId, installation]));
  }

  /**
   * Registers one device, whosever it was, in the caller's transaction: waits for whoever holds its user or itself. What
   * waited for a former owner is the caller's to skip.
   *
   * @returns null when the device names an installation that is not there
   * @throws a unique violation when another installation has the vendor token (`evictTokenHolder`), or got it at this moment
   */
  async registerAlone(
    executor: Executor,
    appId: string,
    registration: SentRegistration,
    at: Date,
  ): Promise<RegisteredInstallation | null> {
    const statement = registeringAlone({ appId, registrations: [registration], at });
    const [made] = await preparedRows<RegisteredInstallation>(executor, statement);
    return made ?? null;
  }

  /**
   * Waits until no other transaction that asked for it is at the same device, and keeps the turn until the transaction ends.
   * Whatever such a transaction then holds, it never waits for another of its kind: a phone that many users claim at once makes a
   * queue and no deadlock. A statement of its own: the next one sees what those before it in the queue have done.
   */
  async awaitTurn(executor: Executor, app: string, names: DeviceNames): Promise<void> {
    const appId = parameter(app);
    const pushType = parameter(names.pushType);
    const token = parameter(names.token);
    const key = tokenKey(sql`${pushType}::text`, sql`${token}::text`);
    // A turn is asked for by the token and by the installations that it leads to, always in one order.
    await rows(
      executor,
      sql`WITH names AS MATERIALIZED (
            SELECT installation_id::text AS name FROM installations
            WHERE app_id = ${appId} AND push_type = ${pushType} AND token IS NOT NULL
              AND ${tokenKey(sql`push_type`, sql`token`)} = ${key}
            UNION SELECT ${names.installationId}::uuid::text
            UNION SELECT ${key}::text WHERE ${pushType} IS NOT NULL AND ${token} IS NOT NULL
          ), keys AS MATERIALIZED (
            SELECT DISTINCT ${deviceLock({ app: appId, name: sql`name` })} AS key FROM names ORDER BY key
          )
          SELECT pg_advisory_xact_lock(key) FROM keys`,
    );
  }

  /**
   * Finds an installation as it is now, and keeps it so until the transaction ends: a batch, which waits for no turn, leaves it
   * to `registerAlone`. The user who is about to get it is held first, as everywhere.
   */
  async findHeld(
    executor: Executor,
    appId: string,
    { installationId, userId }: { installationId: string; userId: string },
  ): Promise<Installation | null> {
    await rows(executor, sql`SELECT FROM users WHERE app_id = ${appId} AND user_id = ${userId} FOR SHARE`);
    const [kept] = await rows<Installation>(
      executor,
      sql`SELECT ${INSTALLATION_COLUMNS} FROM installations
          WHERE app_id = ${appId} AND installation_id = ${installationId} FOR NO KEY UPDATE`,
    );
    return kept ?? null;
  }

  /**
   * Gives an installation another vendor token.
   *
   * @returns null when the user has no such installation
   * @throws a unique violation when another installation holds the token; see `evictTokenHolder`
   */
  async updateToken(
    executor: Executor,
    appId: string,
    change: DeviceTokenChange,
    moment: Date,
  ): Promise<Installation | null> {
    const token = parameter(change.token);
    const at = parameter(moment);
    const proof = parameter(userProof(change.isProved));
    const [changed] = await rows<Installation>(
      executor,
      sql`UPDATE installations SET token = ${token}, push_type = coalesce(${change.pushType}, push_type),
            token_status = ${change.tokenStatus}, user_proof = ${proofWith(sql`${token}::text`, sql`${proof}::smallint`)},
            token_registered_at = CASE WHEN ${token}::text IS NOT NULL THEN ${at}::timestamptz END, updated_at = ${at}
          WHERE app_id = ${appId} AND installation_id = ${change.installationId} AND user_id = ${change.userId}
          RETURNING ${INSTALLATION_COLUMNS}`,
    );
    return changed ?? null;
  }

  /**
   * Removes the installation that holds a vendor token which now belongs to another one: one token is one device, and that
   * device says who it is. The new owner is locked first (asking how many there are makes PostgreSQL do that), and then both
   * installations, in the order of their numbers, as everywhere.
   *
   * @returns the device ids that went
   */
  async evictTokenHolder(executor: Executor, app: string, taker: TokenTaker): Promise<string[]> {
    const appId = parameter(app);
    const installationId = parameter(taker.installationId);
    const pushType = parameter(taker.pushType);
    const token = parameter(taker.token);
    const holdsToken = sql`push_type = ${pushType} AND token IS NOT NULL
      AND ${tokenKey(sql`push_type`, sql`token`)} = ${tokenKey(sql`${pushType}::text`, sql`${token}::text`)}`;
    const gone = await rows<{ deviceId: DeviceId }>(
      executor,
      sql`WITH owner AS MATERIALIZED (
            SELECT 1 FROM users WHERE app_id = ${appId} AND user_id = ${taker.userId} FOR SHARE
          ), found AS (
            SELECT id FROM installations WHERE app_id = ${appId} AND installation_id = ${installationId}
            UNION
            SELECT id FROM installations WHERE app_id = ${appId} AND ${holdsToken}
          ), held AS MATERIALIZED (
            SELECT id, installation_id, push_type, token FROM installations
            WHERE (SELECT count(*) FROM owner) >= 0 AND app_id = ${appId} AND id = ANY (ARRAY(SELECT id FROM found))
            ORDER BY id FOR UPDATE
          )
          DELETE FROM installations WHERE app_id = ${appId} AND id = ANY (ARRAY(
            SELECT id FROM held WHERE installation_id <> ${installationId} AND ${holdsToken}))
          RETURNING id AS "deviceId"`,
    );
    return gone.map(({ deviceId }) => deviceId);
  }
}
