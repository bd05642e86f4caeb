import { createHash } from 'node:crypto';
import {
  campaignSalt,
  type MessageContent,
  placesOfShare,
  type UserPlaces,
  variantEnds,
  variantFor,
} from '@postrider/domain';
import { joined, literal, parameter, type Parameter, sql, type Sql } from '../sql';

/** The fields of a campaign that decide the places of its users. */
interface CampaignKey {
  appId: string;
  /** `campaignSalt`. */
  salt: string;
}

/** Which digits of the hash decide what. The places do not depend on each other. */
const DIGITS = { holdout: 0, share: 8, variant: 16 } as const satisfies Record<keyof UserPlaces, number>;
const LENGTH = 8;

/**
 * The place of a user among all users of a campaign: a hash of the application, the campaign and the user. It is the
 * same for all devices of a user and for every message of the track id, at any time and in any order. `placeOfUser` is
 * the same in SQL; a test compares the two.
 */
export function placesOfUser({ appId, salt }: CampaignKey, userId: string): UserPlaces {
  const hash = createHash('md5').update(`${appId}\n${salt}\n${userId}`).digest('hex');
  const at = (first: number): number => Number.parseInt(hash.slice(first, first + LENGTH), 16);
  return { holdout: at(DIGITS.holdout), share: at(DIGITS.share), variant: at(DIGITS.variant) };
}

/** The fields of a message that decide which variant a user gets. */
interface TestedMessage {
  appId: string;
  id: string;
  content: Pick<MessageContent, 'trackId' | 'variants' | 'winner' | 'holdout'>;
  /** The variant that was chosen as the best. Null or left out: none yet. */
  winner?: string | null | undefined;
}

/** The name of the variant of a message that a user gets. Null: none (yet), or the message has no variants. */
export function variantOfUser({ appId, id, content, winner }: TestedMessage, userId: string | null): string | null {
  if (content.variants === undefined || userId === null) return null;
  const salt = campaignSalt(content.trackId, id);
  return variantFor(content, placesOfUser({ appId, salt }, userId), winner ?? null);
}

/**
 * `variantOfUser` in SQL: the name of the variant that a user (text) gets of a message with variants. NULL: none (yet).
 */
export function variantNameOf(
  { id, content, winner }: Omit<TestedMessage, 'appId'>,
  app: Parameter | Sql,
  user: Sql,
): Sql {
  const { trackId, variants = [], winner: choice, holdout = 0 } = content;
  const asked = { app, salt: campaignSalt(trackId, id), user };
  const cases: Sql[] = [];
  if (holdout > 0) cases.push(sql`WHEN ${isWithin(asked, 'holdout', holdout / 100)} THEN NULL`);
  if (choice !== undefined) {
    const chosen = parameter(winner ?? null, 'text');
    cases.push(
      sql`WHEN ${placeOfUser(asked, 'share')} >= ${literal(placesOfShare(choice.share / 100))} THEN ${chosen}`,
    );
  }
  const place = placeOfUser(asked, 'variant');
  variantEnds(variants).forEach((end, at) =>
    cases.push(sql`WHEN ${place} < ${literal(end)} THEN ${parameter(variants[at]?.name, 'text')}`),
  );
  return sql`CASE ${joined(cases, ' ')} END`;
}

/** A campaign and one of its users, as parts of a statement. */
interface AskedUser {
  app: Parameter | Sql;
  salt: string;
  /** Text. */
  user: Sql;
}

/** One of `placesOfUser` in SQL, a bigint. */
export function placeOfUser({ app, salt, user }: AskedUser, asked: keyof UserPlaces): Sql {
  const hash = sql`md5(${app} || chr(10) || ${parameter(salt, 'text')} || chr(10) || ${user})`;
  return sql`('x' || substr(${hash}, ${literal(DIGITS[asked] + 1)}, ${literal(LENGTH)}))::bit(32)::bigint`;
}

/** A condition: the user is within the first `share` (0 to 1) of all users. */
export function isWithin(user: AskedUser, asked: keyof UserPlaces, share: number): Sql {
  return sql`${placeOfUser(user, asked)} < ${literal(placesOfShare(share))}`;
}
