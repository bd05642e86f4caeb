import { literal, type Parameter, sql, type Sql } from '../sql';

/**
 * What `installations.user_proof` says about whose an installation is: its user's hash was shown (2), was not (0), or nobody
 * knows (1, the column's default). `applications.least_proof` is how much of it an installation needs to be sent to.
 */
export function userProof(isProved: boolean): number {
  return isProved ? SHOWN : 0;
}

/** The proof of an installation that showed its user's hash. */
const SHOWN = 2;

/** The same as a part of a statement, for plans that know it. */
export const SHOWN_PROOF = literal(SHOWN);

/** A condition: an installation (by its alias) has the proof that the application asks for. Looked up once a statement. */
export function isProvedIn(app: Parameter | Sql, installation = sql`i`): Sql {
  return sql`${installation}.user_proof >= (SELECT a.least_proof FROM applications a WHERE a.app_id = ${app})`;
}

/**
 * The proof of a row of `installations` that keeps its user and gets a vendor token: a proof holds for the token that it came
 * with, so that whoever only knows an installation's id does not get what goes to its user.
 */
export function proofWith(token: Sql, proof: Sql): Sql {
  return sql`CASE WHEN ${token} IS NULL OR ${token} = installations.token
    THEN greatest(installations.user_proof, ${proof}) ELSE ${proof} END`;
}
