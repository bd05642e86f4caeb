import { Inject, Injectable } from '@nestjs/common';
import type { DeviceId, PushVendor } from '@postrider/domain';
import { type Database, DATABASE, type Executor, rows } from '../database/executor';
import { deviceLock } from '../database/lock-ids';
import { preparedRows } from '../database/prepared-rows';
import { parameter, sql } from '../sql';
import { type Installation, INSTALLATION_COLUMNS } from './installation';
import { registeringAlone, registeringBatch, type Registrations } from './registering';
import type { SentRegistration } from './registration';
import { holderOf, TOKEN_KEY, tokenKey } from './token-key';
import { proofWith, userProof } from './user-proof';

/** The names by which a device is found: its installation, its vendor token, or both. */
interface DeviceNames {
  installationId: string;
  pushType: PushVendor | null;
  token: string | null;
}

/** A registered installation. `changedHands` is true if it got another owner just now. */
export type RegisteredInstallation = Installation & { changedHands: boolean };

/** The vendor token of one installation of one user. A null token means that the device has none now. */
interface DeviceTokenChange {
  installationId: string;
  userId: string;
  /** The kind of device, for an installation that has none yet. Null: unknown. */
  deviceType: string | null;
  /** Null keeps what the installation has. */
  pushType: PushVendor | null;
  token: string | null;
  tokenStatus: string | null;
  /** True if the user is proved, by the hash or by the application's backend. */
  isProved: boolean;
}

/** An installation that is about to get a vendor token, and its owner. */
interface TokenTaker {
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
   * Registers devices of one application in one statement: makes their users and installations, or replaces the state
   * of those that already belong to the user. It never waits for a lock, so nothing holds it up and it causes no
   * deadlock.
   *
   * Some registrations are left out and change nothing: those that need more (the device gets another owner, its token
   * belongs to another installation, its id is unknown), and those that met a locked row. `registerAlone` handles them.
   *
   * @param asked each id once, and each vendor token once
   * @returns what was registered, by the id in `registrations`
   * @throws a unique violation if the new token of a named installation was taken at the same moment; then nothing was
   * written
   */
  async registerBatch(asked: Registrations): Promise<Map<string, RegisteredInstallation>> {
    const made = await preparedRows<RegisteredInstallation & { askedId: string }>(
      this.database,
      registeringBatch(asked),
    );
    return new Map(made.map(({ askedId, ...installation }) => [askedId, installation]));
  }

  /**
   * Registers one device, whoever owned it, in the caller's transaction. It waits for locks on the user and the device.
   * The caller skips what waited for a former owner.
   *
   * @returns null if the device names an installation that does not exist
   * @throws a unique violation if another installation has the vendor token (`evictTokenHolder`), or got it at this
   * moment
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
   * Waits until no other transaction that called this is at the same device, and keeps the turn until the transaction
   * ends. Such transactions never wait for each other's row locks: many users who claim one phone make a queue and no
   * deadlock. Run it as a statement of its own, so that the next statement sees what the earlier transactions in the
   * queue wrote.
   */
  async awaitTurn(executor: Executor, app: string, names: DeviceNames): Promise<void> {
    const appId = parameter(app);
    const pushType = parameter(names.pushType, 'text');
    const token = parameter(names.token, 'text');
    const key = tokenKey(sql`${pushType}`, sql`${token}`);
    const holder = holderOf({ appId, pushType: sql`${pushType}`, key }, sql`installation_id::text AS name`);
    // A turn is taken for the token and for the installations that it leads to, always in one order.
    await rows(
      executor,
      sql`WITH names AS MATERIALIZED (
            ${holder}
            UNION SELECT ${names.installationId}::uuid::text
            UNION SELECT ${key}::text WHERE ${pushType} IS NOT NULL AND ${token} IS NOT NULL
          ), keys AS MATERIALIZED (
            SELECT DISTINCT ${deviceLock({ app: appId, name: sql`name` })} AS key FROM names ORDER BY key
          )
          SELECT pg_advisory_xact_lock(key) FROM keys`,
    );
  }

  /**
   * Finds an installation as it is now, and locks it until the transaction ends. A batch, which waits for no turn,
   * leaves it to `registerAlone`. The user who is about to get the device is locked first, as everywhere.
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

  /** The vendor of an installation's token, or null if there is none. */
  async findPushType(executor: Executor, appId: string, installationId: string): Promise<PushVendor | null> {
    const [found] = await rows<{ pushType: PushVendor | null }>(
      executor,
      sql`SELECT push_type AS "pushType" FROM installations WHERE app_id = ${appId} AND installation_id = ${installationId}`,
    );
    return found?.pushType ?? null;
  }

  /**
   * Gives an installation another vendor token.
   *
   * @returns null if the user has no such installation
   * @throws a unique violation if another installation has the token; see `evictTokenHolder`
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
            device_type = coalesce(device_type, ${change.deviceType}),
            token_status = ${change.tokenStatus}, user_proof = ${proofWith(sql`${token}::text`, sql`${proof}::smallint`)},
            token_registered_at = CASE WHEN ${token}::text IS NOT NULL THEN ${at}::timestamptz END, updated_at = ${at}
          WHERE app_id = ${appId} AND installation_id = ${change.installationId} AND user_id = ${change.userId}
          RETURNING ${INSTALLATION_COLUMNS}`,
    );
    return changed ?? null;
  }

  /**
   * Deletes the installation that holds a vendor token which now belongs to another one: one token is one device, and
   * the device says who it is. The new owner is locked first (the count makes PostgreSQL do that), and then both
   * installations, in the order of their numbers, as everywhere.
   *
   * @returns the ids of the deleted devices
   */
  async evictTokenHolder(executor: Executor, app: string, taker: TokenTaker): Promise<string[]> {
    const appId = parameter(app);
    const installationId = parameter(taker.installationId);
    const pushType = parameter(taker.pushType, 'text');
    const key = tokenKey(sql`${pushType}`, sql`${parameter(taker.token, 'text')}`);
    const holder = holderOf({ appId, pushType: sql`${pushType}`, key }, sql`id`);
    const gone = await rows<{ deviceId: DeviceId }>(
      executor,
      sql`WITH owner AS MATERIALIZED (
            SELECT 1 FROM users WHERE app_id = ${appId} AND user_id = ${taker.userId} FOR SHARE
          ), found AS (
            SELECT id FROM installations WHERE app_id = ${appId} AND installation_id = ${installationId}
            UNION ${holder}
          ), held AS MATERIALIZED (
            SELECT id, installation_id, push_type, token FROM installations
            WHERE (SELECT count(*) FROM owner) >= 0 AND app_id = ${appId} AND id = ANY (ARRAY(SELECT id FROM found))
            ORDER BY id FOR UPDATE
          )
          DELETE FROM installations WHERE app_id = ${appId} AND id = ANY (ARRAY(
            SELECT id FROM held WHERE installation_id <> ${installationId}
              AND push_type = ${pushType} AND token IS NOT NULL AND ${TOKEN_KEY} = ${key}))
          RETURNING id AS "deviceId"`,
    );
    return gone.map(({ deviceId }) => deviceId);
  }
}
