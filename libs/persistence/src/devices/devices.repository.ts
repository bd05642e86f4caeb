import { Inject, Injectable } from '@nestjs/common';
import {
  type DeviceId,
  deliveryStateRank,
  type JsonObject,
  type RoutableDevice,
  type SkipReason,
} from '@postrider/domain';
import { type Database, DATABASE, type Executor, rows } from '../database/executor';
import { preparedRows } from '../database/prepared-rows';
import { edgeIsAlive } from '../edges/edges.repository';
import { parameter, sql } from '../sql';
import { type Installation, INSTALLATION_COLUMNS } from './installation';
import { isProvedIn, SHOWN_PROOF } from './user-proof';

/** An installation with its user's attributes. */
export type InstallationOfUser = Installation & { userInfo: JsonObject };

/** One of a user's devices, with the fields that decide how it is reached. */
interface UserDevice extends RoutableDevice {
  deviceId: DeviceId;
  userId: string;
}

/** The owner of an installation. */
export interface OwnerOfInstallation {
  appId: string;
  installationId: string;
  deviceId: DeviceId;
  userId: string;
}

/** An installation's number, owner and own attributes. */
interface LockedInstallation {
  deviceId: DeviceId;
  userId: string;
  attributes: JsonObject;
}

/** The installations of applications on devices: their owners, their own attributes, and their removal. */
@Injectable()
export class DevicesRepository {
  constructor(@Inject(DATABASE) private readonly database: Database) {}

  /** Finds the installations with these ids, in no particular order. Ids of other applications are not found. */
  async find(executor: Executor, appId: string, installationIds: readonly string[]): Promise<InstallationOfUser[]> {
    return rows<InstallationOfUser>(
      executor,
      sql`SELECT ${INSTALLATION_COLUMNS}, coalesce(users.attributes, '{}') AS "userInfo"
          FROM installations LEFT JOIN users USING (app_id, user_id)
          WHERE app_id = ${appId} AND installation_id = ANY (${installationIds}::uuid[])`,
    );
  }

  /** Finds the present owners of these installations. Unknown installations are left out. */
  async findOwners(
    installations: readonly { appId: string; installationId: string }[],
  ): Promise<OwnerOfInstallation[]> {
    const appIds = installations.map(({ appId }) => appId);
    const installationIds = installations.map(({ installationId }) => installationId);
    return preparedRows<OwnerOfInstallation>(
      this.database,
      sql`SELECT i.app_id AS "appId", i.installation_id AS "installationId", i.id AS "deviceId", i.user_id AS "userId"
          FROM unnest(${appIds}::text[], ${installationIds}::uuid[]) AS r (app_id, installation_id)
          CROSS JOIN LATERAL (
            SELECT app_id, installation_id, id, user_id FROM installations
            WHERE app_id = r.app_id AND installation_id = r.installation_id LIMIT 1
          ) i`,
    );
  }

  /** Finds the owner of an installation, as the transaction sees it. Null: unknown. */
  async findOwner(
    executor: Executor,
    appId: string,
    installationId: string,
  ): Promise<Pick<OwnerOfInstallation, 'deviceId' | 'userId'> | null> {
    const [found] = await rows<Pick<OwnerOfInstallation, 'deviceId' | 'userId'>>(
      executor,
      sql`SELECT id AS "deviceId", user_id AS "userId" FROM installations
          WHERE app_id = ${appId} AND installation_id = ${installationId}`,
    );
    return found ?? null;
  }

  /** Locks an installation until the transaction ends, so that it keeps its owner meanwhile. Null: unknown. */
  async lock(executor: Executor, appId: string, installationId: string): Promise<LockedInstallation | null> {
    const [found] = await rows<LockedInstallation>(
      executor,
      sql`SELECT id AS "deviceId", user_id AS "userId", attributes FROM installations
          WHERE app_id = ${appId} AND installation_id = ${installationId} FOR NO KEY UPDATE`,
    );
    return found ?? null;
  }

  /** Replaces an installation's own attributes. The caller holds its lock (`lock`). */
  async saveAttributes(
    executor: Executor,
    appId: string,
    installationId: string,
    attributes: JsonObject,
  ): Promise<void> {
    await rows(
      executor,
      sql`UPDATE installations SET attributes = ${JSON.stringify(attributes)}::jsonb, updated_at = now()
          WHERE app_id = ${appId} AND installation_id = ${installationId}`,
    );
  }

  /** A user's installations in the order in which they registered, at most `limit` behind the number `afterDeviceId`. */
  async listOfUser(
    appId: string,
    userId: string,
    { afterDeviceId, limit }: { afterDeviceId: DeviceId; limit: number },
  ): Promise<Installation[]> {
    return rows<Installation>(
      this.database,
      sql`SELECT ${INSTALLATION_COLUMNS} FROM installations
          WHERE app_id = ${appId} AND user_id = ${userId} AND id > ${afterDeviceId}::bigint
          ORDER BY id LIMIT ${limit}`,
    );
  }

  /**
   * Lists installations that this user had once and that another user has now, at most `limit`, with their present
   * state.
   */
  async listFormerOfUser(app: string, user: string, limit: number): Promise<Installation[]> {
    const [appId, userId] = [parameter(app), parameter(user)];
    return rows<Installation>(
      this.database,
      sql`SELECT ${INSTALLATION_COLUMNS} FROM installations
          WHERE app_id = ${appId} AND user_id <> ${userId}
            AND id IN (SELECT device_id FROM former_owners WHERE app_id = ${appId} AND user_id = ${userId})
          ORDER BY id LIMIT ${limit}`,
    );
  }

  /** Finds the devices of these users, for each user the last used ones first, at most `limit` each. */
  async findOfUsers(app: string, userIds: readonly string[], limit: number): Promise<UserDevice[]> {
    const appId = parameter(app);
    return rows<UserDevice>(
      this.database,
      sql`SELECT i.id AS "deviceId", i.user_id AS "userId", i.push_type AS "pushType",
            i.token IS NOT NULL AS "hasToken", i.token_status AS "tokenStatus", i.uses_connection AS "usesConnection",
            ${isProvedIn(appId)} AS "isProved",
            EXISTS (
              SELECT 1 FROM presence p JOIN edges e ON e.edge_id = p.edge_id AND ${edgeIsAlive(sql`e`)}
              WHERE p.app_id = ${appId} AND p.id = i.id
            ) AS "isConnected"
          FROM unnest(${userIds}::text[]) WITH ORDINALITY AS wanted (user_id, place)
          CROSS JOIN LATERAL (
            SELECT * FROM installations
            WHERE app_id = ${appId} AND user_id = wanted.user_id ORDER BY launch_time DESC, id LIMIT ${limit}
          ) i
          ORDER BY wanted.place, i.launch_time DESC, i.id`,
    );
  }

  /**
   * Finds the locale of each of these users, from the device that they used last. Users whose devices report no locale
   * are left out.
   */
  async findLastLocales(appId: string, userIds: readonly string[]): Promise<Map<string, string>> {
    const locales = await rows<{ userId: string; locale: string }>(
      this.database,
      sql`SELECT asked.user_id AS "userId", device.locale
          FROM unnest(${userIds}::text[]) AS asked (user_id) CROSS JOIN LATERAL (
            SELECT i.locale FROM installations i
            WHERE i.app_id = ${appId} AND i.user_id = asked.user_id AND i.locale IS NOT NULL
            ORDER BY i.launch_time DESC LIMIT 1
          ) device`,
    );
    return new Map(locales.map(({ userId, locale }) => [userId, locale]));
  }

  /** How many installations a user has. */
  async countOfUser(executor: Executor, appId: string, userId: string): Promise<number> {
    const [counted] = await rows<{ count: number }>(
      executor,
      sql`SELECT count(*)::int AS count FROM installations WHERE app_id = ${appId} AND user_id = ${userId}`,
    );
    return counted?.count ?? 0;
  }

  /**
   * Counts the installations that have not proved their user. They get nothing if the application requires the proof.
   * Reads every installation, so it is too expensive for every page view.
   */
  async countUnproved(app: string): Promise<number> {
    const appId = parameter(app);
    const [counted] = await rows<{ count: number }>(
      this.database,
      sql`SELECT count(*)::float8 AS count FROM installations
          WHERE app_id = ${appId} AND user_proof < (
            SELECT CASE WHEN require_user_hash THEN least_proof ELSE ${SHOWN_PROOF} END
            FROM applications WHERE app_id = ${appId})`,
    );
    return counted?.count ?? 0;
  }

  /**
   * Removes an installation. The caller skips what waits for it. @returns its device id, or null if it does not exist
   */
  async delete(executor: Executor, appId: string, installationId: string): Promise<DeviceId | null> {
    const [gone] = await rows<{ deviceId: DeviceId }>(
      executor,
      sql`DELETE FROM installations WHERE app_id = ${appId} AND installation_id = ${installationId}
          RETURNING id AS "deviceId"`,
    );
    return gone?.deviceId ?? null;
  }

  /**
   * Skips what waits for these devices to connect: it was meant for a former owner, or for a device that is gone.
   *
   * @returns the number of skipped deliveries
   */
  async skipWaitingDeliveries(
    executor: Executor,
    appId: string,
    deviceIds: readonly DeviceId[],
    { errorCode, reason, at }: SkipReason & { at: Date },
  ): Promise<number> {
    const skipped = await rows(
      executor,
      sql`UPDATE deliveries SET state = 'skipped', rank = ${deliveryStateRank('skipped')}, error_code = ${errorCode},
            reason = ${reason}, updated_at = ${at}
          WHERE app_id = ${appId} AND device_id = ANY (${deviceIds}::bigint[]) AND state = 'pending'
          RETURNING 1`,
    );
    return skipped.length;
  }
}
