import { literal, type Parameter, sql, type Sql } from '../sql';

/**
 * The value of `installations.user_proof`: the installation showed its user's hash (2), did not (0), or nobody knows
 * (1, the default of the column). `applications.least_proof` is the least value that an installation needs to get
 * messages.
 */
export function userProof(isProved: boolean): number {
  return isProved ? SHOWN : 0;
}

/** The proof of an installation that showed its user's hash. */
const SHOWN = 2;

/** The same as a literal, for plans that depend on it. */
export const SHOWN_PROOF = literal(SHOWN);

/**
 * A condition: an installation (by its alias) has the proof that the application requires. The requirement is read once
 * per statement.
 */
export function isProvedIn(app: Parameter | Sql, installation = sql`i`): Sql {
  return isProvedBy(sql`(SELECT a.least_proof FROM applications a WHERE a.app_id = ${app})`, installation);
}

/** The same for a statement that has read the application's `least_proof` already. */
export function isProvedBy(leastProof: Sql, installation = sql`i`): Sql {
  return sql`${installation}.user_proof >= ${leastProof}`;
}

/**
 * The proof of a row of `installations` that keeps its user and gets a vendor token. A proof belongs to the token that
 * it came with, so that a caller who only knows the id of an installation does not get the messages of its user.
 */
export function proofWith(token: Sql, proof: Sql): Sql {
  const isSame = sql`(${token} = installations.token
    OR (installations.push_type = 'apns' AND lower(${token} COLLATE "C") = lower(installations.token)))`;
  return sql`CASE WHEN ${token} IS NULL OR ${isSame}
    THEN greatest(installations.user_proof, ${proof}) ELSE ${proof} END`;
}
