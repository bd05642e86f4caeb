import { CONFIRMING_STATES, deliveryStateRank } from '@postrider/domain';
import { type Sql, sql } from '../sql';

/** The rank from which on every delivery confirms its message, but one under the policy `SHOWN`. */
export const USUAL_CONFIRMING_RANK = deliveryStateRank(CONFIRMING_STATES.usual);

const SHOWN_CONFIRMING_RANK = deliveryStateRank(CONFIRMING_STATES.SHOWN);

/** The rank from which on a delivery confirms its message. @param policy `fallbacks.policy` */
export function confirmingRank(policy: Sql): Sql {
  return sql`CASE ${policy} WHEN 'SHOWN' THEN ${SHOWN_CONFIRMING_RANK}::int ELSE ${USUAL_CONFIRMING_RANK}::int END`;
}
