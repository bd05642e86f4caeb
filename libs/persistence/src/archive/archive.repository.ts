import { Inject, Injectable } from '@nestjs/common';
import type { JsonObject } from '@postrider/domain';
import { type Database, DATABASE, type Executor, rows } from '../database/executor';
import { identifier, joined, parameter, sql, type Sql } from '../sql';

/** A row as an archive holds it: its columns by name, without the application. */
type ArchivedRow = JsonObject;

/**
 * Columns of a table that an archive holds, with their types. Columns that PostgreSQL or a connection fills are left
 * out.
 */
const USER_COLUMNS = {
  user_id: 'text',
  tags: 'text[]',
  tag_values: 'jsonb',
  attributes: 'jsonb',
  created_at: 'timestamptz',
  updated_at: 'timestamptz',
} as const;

const DEVICE_COLUMNS = {
  installation_id: 'uuid',
  user_id: 'text',
  user_since: 'timestamptz',
  user_proof: 'smallint',
  device_type: 'text',
  push_type: 'text',
  token: 'text',
  token_status: 'text',
  token_registered_at: 'timestamptz',
  imported_at: 'timestamptz',
  os_version: 'text',
  os_version_key: 'text',
  client_version: 'text',
  client_version_key: 'text',
  launch_count: 'bigint',
  launch_time: 'timestamptz',
  install_date: 'timestamptz',
  tags: 'text[]',
  tag_values: 'jsonb',
  channels: 'text[]',
  attributes: 'jsonb',
  registration: 'jsonb',
  time_zone: 'text',
  locale: 'text',
  latitude: 'float8',
  longitude: 'float8',
  realtime: 'boolean',
  protected: 'boolean',
  created_at: 'timestamptz',
  updated_at: 'timestamptz',
} as const;

const namesOf = (columns: object): Sql => joined(Object.keys(columns).map(identifier), ', ');
const typesOf = (columns: object): Sql =>
  joined(
    Object.entries(columns).map(([name, type]: [string, string]) => sql`${identifier(name)} ${typeName(type)}`),
    ', ',
  );

/** The columns of users and devices that hold a time. */
const TIMES = [...Object.entries(USER_COLUMNS), ...Object.entries(DEVICE_COLUMNS)].flatMap(([name, type]) =>
  type === 'timestamptz' ? [name] : [],
);

/**
 * Returns the first column of an archived row whose time is infinite; null: none. PostgreSQL would store it, but no
 * page of a message can name a device with such a time.
 */
export function infiniteTimeOf(row: ArchivedRow): string | null {
  return TIMES.find((name) => typeof row[name] === 'string' && /infinity/i.test(row[name])) ?? null;
}

/** Users and devices of an application as they are stored, to be moved to another installation of Postrider. */
@Injectable()
export class ArchiveRepository {
  constructor(@Inject(DATABASE) private readonly database: Database) {}

  /** Reads up to `limit` users behind `afterUserId`, in the order of their ids. */
  async readUsers(appId: string, afterUserId: string, limit: number): Promise<ArchivedRow[]> {
    const found = await rows<{ row: ArchivedRow }>(
      this.database,
      sql`SELECT to_jsonb(u) AS row FROM (
            SELECT ${namesOf(USER_COLUMNS)} FROM users
            WHERE app_id = ${appId} AND user_id > ${afterUserId} ORDER BY user_id LIMIT ${limit}
          ) u`,
    );
    return found.map(({ row }) => row);
  }

  /** Reads up to `limit` devices behind number `after`, in the order of their numbers. */
  async readDevices(appId: string, after: string, limit: number): Promise<{ number: string; row: ArchivedRow }[]> {
    return rows<{ number: string; row: ArchivedRow }>(
      this.database,
      sql`SELECT d.id::text AS number, to_jsonb(d) - 'id' AS row FROM (
            SELECT id, ${namesOf(DEVICE_COLUMNS)} FROM installations
            WHERE app_id = ${appId} AND id > ${after}::bigint ORDER BY id LIMIT ${limit}
          ) d`,
    );
  }

  /**
   * Adds users. A user who exists already does not change. A user who is being erased is refused (`isBeingErased`).
   *
   * @returns the number of new users
   */
  async addUsers(executor: Executor, appId: string, users: readonly ArchivedRow[]): Promise<number> {
    const made = await rows(
      executor,
      sql`INSERT INTO users (app_id, ${namesOf(USER_COLUMNS)})
          SELECT ${appId}, ${namesOf(USER_COLUMNS)} FROM json_to_recordset(${JSON.stringify(users)}::json) AS s (${typesOf(USER_COLUMNS)})
          ORDER BY user_id COLLATE "C" ON CONFLICT (app_id, user_id) DO NOTHING RETURNING 1`,
    );
    return made.length;
  }

  /**
   * Adds devices, with the tags of their users. A device that exists already, by its id or its vendor token, does not
   * change. Unknown users are made: a device may have registered for a new user while the archive was written.
   *
   * @returns the number of new devices
   */
  async addDevices(executor: Executor, appId: string, devices: readonly ArchivedRow[]): Promise<number> {
    const app = parameter(appId, 'text');
    await rows(
      executor,
      sql`INSERT INTO users (app_id, user_id)
          SELECT DISTINCT ${app}, s.user_id COLLATE "C" FROM json_to_recordset(${JSON.stringify(devices)}::json) AS s (user_id text)
          ORDER BY 2 ON CONFLICT (app_id, user_id) DO NOTHING`,
    );
    const copied = Object.keys(DEVICE_COLUMNS).map((name) =>
      name === 'tags' || name === 'tag_values' ? sql`owner.${identifier(name)}` : sql`s.${identifier(name)}`,
    );
    const made = await rows(
      executor,
      sql`WITH owner AS MATERIALIZED (
            SELECT user_id, tags, tag_values FROM users
            WHERE app_id = ${app} AND user_id = ANY (ARRAY(SELECT user_id FROM json_to_recordset(${JSON.stringify(devices)}::json)
              AS s (user_id text))) ORDER BY user_id FOR NO KEY UPDATE
          )
          INSERT INTO installations (app_id, ${namesOf(DEVICE_COLUMNS)})
          SELECT ${app}, ${joined(copied, ', ')}
          FROM json_to_recordset(${JSON.stringify(devices)}::json) AS s (${typesOf(DEVICE_COLUMNS)}) JOIN owner ON owner.user_id = s.user_id
          ORDER BY s.push_type, s.token ON CONFLICT DO NOTHING RETURNING 1`,
    );
    return made.length;
  }
}

/** A type of the tables above, as a part of a statement. */
function typeName(type: string): Sql {
  const [name = '', list] = type.split(/(?=\[\])/);
  return list === undefined ? identifier(name) : sql`${identifier(name)}[]`;
}
