import type { MessageContent } from '@postrider/domain';
import { literal, parameter, type Parameter, sql, type Sql } from '@postrider/persistence';

/** Into which parts a campaign divides its audience. */
export interface CampaignSplit {
  /** What beside the application and the user decides where a user stands: campaigns of one track id share it. */
  salt: string;
  /** The percentage of users who get nothing. */
  holdout: number;
}

/** How a campaign divides its audience; null when everybody gets the same. */
export function splitOf(
  { trackId, holdout = 0 }: Pick<MessageContent, 'trackId' | 'holdout'>,
  messageId: string,
): CampaignSplit | null {
  if (holdout === 0) return null;
  return { salt: trackId === undefined ? `message ${messageId}` : `track ${trackId}`, holdout };
}

/** What a user's place is asked for. Each is decided by digits of its own, so that none depends on another. */
const DIGITS = { holdout: 1 } as const;

/** Places are whole numbers from 0 up to this one. */
export const PLACES = 2 ** 32;

/**
 * Where the user of the installation `i` stands among all users of a campaign: a hash of the application, the campaign and the user,
 * from 0 up to `PLACES`. It is the same for all devices of a user, for every message of the track id, and however often and in
 * whatever order it is asked.
 */
export function placeOfUser(app: Parameter, { salt }: CampaignSplit, asked: keyof typeof DIGITS): Sql {
  const user = sql`${app} || chr(10) || ${parameter(salt, 'text')} || chr(10) || i.user_id`;
  return sql`('x' || substr(md5(${user}), ${literal(DIGITS[asked])}, 8))::bit(32)::bigint`;
}

/** A condition: the user of the installation `i` is held out of a campaign. */
export function isHeldOut(app: Parameter, split: CampaignSplit): Sql {
  return sql`${placeOfUser(app, split, 'holdout')} < ${literal(placesOf(split.holdout / 100))}`;
}

/** How many places a share of the users takes. */
function placesOf(share: number): number {
  return Math.round(share * PLACES);
}
