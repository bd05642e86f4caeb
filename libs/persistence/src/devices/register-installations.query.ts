import type { Executor } from '../database/executor';
import { preparedRows } from '../database/prepared-rows';
import { type Installation, INSTALLATION_COLUMNS } from './installation';
import { CHANGES, INSERTED_COLUMNS, INSERTED_VALUES, SENT, sentJson, type SentRegistration } from './registration';
import { tokenKey } from './token-key';

/** A registered installation, and whether it came from another user just now. */
export type RegisteredInstallation = Installation & { changedHands: boolean };

type Row = RegisteredInstallation & { askedId: string };

/**
 * Registers devices of one application in one statement: makes their users and installations, or replaces the state of those
 * that are their users' already. It waits for nobody who holds a user or an installation, so it can neither be held up nor
 * be part of a deadlock.
 *
 * Left out, with nothing changed, are registrations that need more than this (the device changes hands, its token is
 * another installation's, its id is unknown) and those that met with somebody else: `registerAlone` does them.
 *
 * @param registrations each id once, and each vendor token once
 * @returns what was registered, by the id in `registrations`
 * @throws a unique violation when a named installation's new token was taken at the same moment; nothing has happened then
 */
export async function registerTogether(
  executor: Executor,
  appId: string,
  registrations: readonly SentRegistration[],
  at: Date,
): Promise<Map<string, RegisteredInstallation>> {
  const made = await preparedRows<Row>(executor, TOGETHER, [appId, sentJson(registrations), at]);
  return new Map(made.map(({ askedId, ...installation }) => [askedId, installation]));
}

/**
 * Registers one device, whosever it was, in the caller's transaction: waits for whoever holds its user or itself. What
 * waited for a former owner is the caller's to skip.
 *
 * @returns null when the device names an installation that is not there
 * @throws a unique violation when another installation has the vendor token (`evictTokenHolder`), or got it at this moment
 */
export async function registerAlone(
  executor: Executor,
  appId: string,
  registration: SentRegistration,
  at: Date,
): Promise<RegisteredInstallation | null> {
  const [made] = await preparedRows<RegisteredInstallation>(executor, ALONE, [appId, sentJson([registration]), at]);
  return made ?? null;
}

/** Where the two ways of registering differ. */
interface Way {
  /** What to do about rows that somebody else holds. */
  locked: string;
  /** Whose user is made when there is none. */
  makes: string;
  /** What becomes of a user, and of an installation, that somebody else makes at the same moment. */
  onUser: string;
  onToken: string;
  /** Which installations may be changed. */
  mayChange: string;
  /** Which registrations are of no new installation. */
  isOld: 'found' | 'same';
}

const TOKEN_KEY = tokenKey('push_type', 'token');

const TOGETHER = statementOf({
  locked: 'SKIP LOCKED',
  makes: 'NOT sent.is_named AND',
  onUser: 'DO NOTHING',
  onToken: `ON CONFLICT (app_id, push_type, ${TOKEN_KEY}) WHERE token IS NOT NULL DO NOTHING`,
  mayChange: `AND held.user_id = sent.user_id
      AND NOT EXISTS (SELECT 1 FROM found other WHERE other.asked = sent.id AND other.id <> held.id)`,
  isOld: 'found',
});

/** A user who is made at the same moment is waited for, and held. What was found may be gone or another device by then. */
const ALONE = statementOf({
  locked: '',
  makes: '',
  onUser: 'DO UPDATE SET user_id = excluded.user_id',
  onToken: '',
  mayChange: '',
  isOld: 'same',
});

/**
 * Users are held before installations, and each in one order. They are held against changes of their tags, but not against
 * other registrations: what is copied from them is what they have when this commits. Rows are named one by one, so that
 * PostgreSQL finds them by key whatever its statistics say.
 */
function statementOf({ locked, makes, onUser, onToken, mayChange, isOld }: Way): string {
  return `
  WITH sent AS MATERIALIZED (${SENT}), known AS MATERIALIZED (
    SELECT user_id, tags, tag_values FROM users
    WHERE app_id = $1 AND user_id = ANY (ARRAY(SELECT user_id FROM sent))
    ORDER BY user_id FOR SHARE ${locked}
  ), made AS (
    INSERT INTO users (app_id, user_id, created_at, updated_at)
    SELECT DISTINCT $1::text, sent.user_id, $3::timestamptz, $3::timestamptz FROM sent
    WHERE ${makes} NOT EXISTS (SELECT 1 FROM known WHERE known.user_id = sent.user_id) ORDER BY 2
    ON CONFLICT (app_id, user_id) ${onUser}
    RETURNING user_id, tags, tag_values
  ), owners AS MATERIALIZED (SELECT * FROM known UNION ALL SELECT * FROM made), found AS MATERIALIZED (
    SELECT sent.id AS asked, i.id FROM sent CROSS JOIN LATERAL (
      SELECT id FROM installations WHERE app_id = $1 AND installation_id = sent.id LIMIT 1
    ) i WHERE sent.is_named
    UNION ALL
    SELECT sent.id, i.id FROM sent CROSS JOIN LATERAL (
      SELECT id FROM installations
      WHERE app_id = $1 AND push_type = sent.push_type AND token IS NOT NULL AND ${TOKEN_KEY} = sent.token_key LIMIT 1
    ) i WHERE sent.token IS NOT NULL
  ), held AS MATERIALIZED (
    SELECT id, installation_id, user_id, push_type, CASE WHEN token IS NOT NULL THEN ${TOKEN_KEY} END AS token_key
    FROM installations
    WHERE (SELECT count(*) FROM owners) >= 0 AND app_id = $1 AND id = ANY (ARRAY(SELECT id FROM found))
    ORDER BY id FOR NO KEY UPDATE ${locked}
  ), same AS MATERIALIZED (
    SELECT DISTINCT ON (held.id) held.id, held.user_id AS former_user, sent.id AS asked
    FROM found JOIN held ON held.id = found.id JOIN sent ON sent.id = found.asked
    WHERE CASE WHEN sent.is_named THEN held.installation_id = sent.id
        ELSE held.push_type = sent.push_type AND held.token_key = sent.token_key END
      ${mayChange}
    ORDER BY held.id
  ), changed AS (
    UPDATE installations SET ${CHANGES}
    FROM same JOIN sent ON sent.id = same.asked JOIN owners owner ON owner.user_id = sent.user_id
    WHERE installations.app_id = $1 AND installations.id = ANY (ARRAY(SELECT id FROM same)) AND installations.id = same.id
    RETURNING same.asked AS "askedId", same.former_user <> sent.user_id AS "changedHands", ${INSTALLATION_COLUMNS}
  ), added AS (
    INSERT INTO installations (${INSERTED_COLUMNS})
    SELECT ${INSERTED_VALUES} FROM sent JOIN owners owner ON owner.user_id = sent.user_id
    WHERE NOT sent.is_named AND NOT EXISTS (SELECT 1 FROM ${isOld} known_one WHERE known_one.asked = sent.id)
    ORDER BY sent.push_type, sent.token_key
    ${onToken}
    RETURNING installations.installation_id AS "askedId", false AS "changedHands", ${INSTALLATION_COLUMNS}
  )
  SELECT * FROM changed UNION ALL SELECT * FROM added`;
}
