import { type Parameter, sql, type Sql, template } from '../sql';
import { INSTALLATION_COLUMNS } from './installation';
import {
  changesOf,
  INSERTED_COLUMNS,
  insertedValues,
  selectSent,
  sentJson,
  type SentRegistration,
} from './registration';
import { holderOf, TOKEN_KEY } from './token-key';

/** Registrations of one application, and their time. */
export interface Registrations {
  appId: string;
  registrations: readonly SentRegistration[];
  at: Date;
}

/** The parameters of a statement. `sent` is a `sentJson`. */
type Places = Readonly<Record<'appId' | 'sent' | 'at', Parameter>>;

/** The parts in which the two ways of registering differ. */
interface Way {
  /** What to do about rows that another transaction has locked. */
  locked: Sql;
  /** Which users are made if they do not exist. */
  makes: Sql;
  /** What happens to a user and an installation that another transaction makes at the same moment. */
  onUser: Sql;
  onToken: Sql;
  /** Which installations may be changed. */
  mayChange: Sql;
  /** The rows that show which registrations belong to existing installations. */
  old: Sql;
}

const BATCH: Way = {
  locked: sql`SKIP LOCKED`,
  makes: sql`NOT sent.is_named AND`,
  onUser: sql`DO NOTHING`,
  onToken: sql`ON CONFLICT DO NOTHING`,
  mayChange: sql`AND held.user_id = sent.user_id
      AND NOT EXISTS (SELECT 1 FROM found other WHERE other.asked = sent.id AND other.id <> held.id)`,
  old: sql`found`,
};

/**
 * Waits for a user that another transaction makes at the same moment, and locks the row. The installation that was
 * found may be gone or be another device by then.
 */
const ALONE: Way = {
  locked: sql``,
  makes: sql``,
  onUser: sql`DO UPDATE SET user_id = excluded.user_id`,
  onToken: sql``,
  mayChange: sql``,
  old: sql`same`,
};

/**
 * Locks users before installations, and each in one order. Users are locked against changes of their tags, but not
 * against other registrations: what is copied from them is what they have when this commits. Rows are named one by one,
 * so that PostgreSQL finds them by key whatever its statistics say. The count of the owners makes PostgreSQL lock them
 * first.
 *
 * The series in `same` has one row. PostgreSQL expects a thousand, and so joins `same` with the devices by a hash. It would expect
 * one known device otherwise, and read all of them again for each.
 */
function statementOf({ appId, sent, at }: Places, { locked, makes, onUser, onToken, mayChange, old }: Way): Sql {
  return sql`
  WITH sent AS MATERIALIZED (${selectSent(sent)}), known AS MATERIALIZED (
    SELECT user_id, tags, tag_values FROM users
    WHERE app_id = ${appId} AND user_id = ANY (ARRAY(SELECT user_id FROM sent))
    ORDER BY user_id FOR SHARE ${locked}
  ), made AS (
    INSERT INTO users (app_id, user_id, created_at, updated_at)
    SELECT DISTINCT ${appId}::text, sent.user_id, ${at}::timestamptz, ${at}::timestamptz FROM sent
    WHERE ${makes} NOT EXISTS (SELECT 1 FROM known WHERE known.user_id = sent.user_id) ORDER BY 2
    ON CONFLICT (app_id, user_id) ${onUser}
    RETURNING user_id, tags, tag_values
  ), owners AS MATERIALIZED (SELECT * FROM known UNION ALL SELECT * FROM made), found AS MATERIALIZED (
    SELECT sent.id AS asked, i.id FROM sent CROSS JOIN LATERAL (
      SELECT id FROM installations WHERE app_id = ${appId} AND installation_id = sent.id LIMIT 1
    ) i WHERE sent.is_named
    UNION ALL
    SELECT sent.id, i.id FROM sent CROSS JOIN LATERAL ${holderOf({ appId, pushType: sql`sent.push_type`, key: sql`sent.token_key` }, sql`id`)} i
    WHERE sent.token IS NOT NULL
  ), held AS MATERIALIZED (
    SELECT id, installation_id, user_id, push_type, CASE WHEN token IS NOT NULL THEN ${TOKEN_KEY} END AS token_key
    FROM installations
    WHERE (SELECT count(*) FROM owners) >= 0 AND app_id = ${appId} AND id = ANY (ARRAY(SELECT id FROM found))
    ORDER BY id FOR NO KEY UPDATE ${locked}
  ), same AS MATERIALIZED (
    SELECT *, generate_series(1, once) FROM (
      SELECT DISTINCT ON (held.id) held.id, held.user_id AS former_user, sent.id AS asked, 1 AS once
      FROM found JOIN held ON held.id = found.id JOIN sent ON sent.id = found.asked
      WHERE CASE WHEN sent.is_named THEN held.installation_id = sent.id
          ELSE held.push_type = sent.push_type AND held.token_key = sent.token_key END
        ${mayChange}
      ORDER BY held.id
    ) one
  ), changed AS (
    UPDATE installations SET ${changesOf(at)}
    FROM same JOIN sent ON sent.id = same.asked JOIN owners owner ON owner.user_id = sent.user_id
    WHERE installations.app_id = ${appId} AND installations.id = ANY (ARRAY(SELECT id FROM same)) AND installations.id = same.id
    RETURNING same.asked AS "askedId", same.former_user <> sent.user_id AS "changedHands", ${INSTALLATION_COLUMNS}
  ), added AS (
    INSERT INTO installations (${INSERTED_COLUMNS})
    SELECT ${insertedValues({ appId, at })} FROM sent JOIN owners owner ON owner.user_id = sent.user_id
    WHERE NOT sent.is_named AND NOT EXISTS (SELECT 1 FROM ${old} known_one WHERE known_one.asked = sent.id)
    ORDER BY sent.push_type, sent.token_key
    ${onToken}
    RETURNING installations.installation_id AS "askedId", false AS "changedHands", ${INSTALLATION_COLUMNS}
  )
  SELECT * FROM changed UNION ALL SELECT * FROM added`;
}

const writeBatch = template(['appId', 'sent', 'at'], (places) => statementOf(places, BATCH));
const writeAlone = template(['appId', 'sent', 'at'], (places) => statementOf(places, ALONE));

/**
 * Registers devices that are new or already belong to the user, and leaves the others out. It never waits for a lock.
 */
export function registeringBatch({ appId, registrations, at }: Registrations): Sql {
  return writeBatch({ appId, sent: sentJson(registrations), at });
}

/** Registers one device, whoever owned it, and waits for locks on its user and its row. */
export function registeringAlone({ appId, registrations, at }: Registrations): Sql {
  return writeAlone({ appId, sent: sentJson(registrations), at });
}
