import { campaignSalt, type MessageContent } from '@postrider/domain';
import { isWithin, type Parameter, sql, type Sql } from '@postrider/persistence';

/** The parts into which a campaign divides its audience. */
export interface CampaignSplit {
  salt: string;
  /** The percentage of users who get nothing. */
  holdout: number;
  /** The percentage of the other users who are sent to at once; null: all. */
  share: number | null;
  /** After how many seconds the winner is chosen for the rest; null: there is no winner. */
  afterSeconds: number | null;
}

/** Returns how a campaign divides its audience; null if all users are treated alike. */
export function splitOf(
  { trackId, holdout = 0, winner }: Pick<MessageContent, 'trackId' | 'holdout' | 'winner'>,
  messageId: string,
): CampaignSplit | null {
  if (holdout === 0 && winner === undefined) return null;
  return {
    salt: campaignSalt(trackId, messageId),
    holdout,
    share: winner?.share ?? null,
    afterSeconds: winner?.after ?? null,
  };
}

/** Returns a condition: the user of the installation `i` is in the holdout of a campaign; null: there is none. */
export function isHeldOut(app: Parameter, { salt, holdout }: CampaignSplit): Sql | null {
  return holdout === 0 ? null : isWithin({ app, salt, user: sql`i.user_id` }, 'holdout', holdout / 100);
}

/** Returns a condition: the user of the installation `i` waits for the winner among a campaign's variants. */
export function waitsForWinner(app: Parameter, { salt, share }: CampaignSplit): Sql {
  return share === null
    ? sql`false`
    : sql`NOT (${isWithin({ app, salt, user: sql`i.user_id` }, 'share', share / 100)})`;
}
