import { campaignSalt, type MessageContent } from '@postrider/domain';
import { isWithin, type Parameter, sql, type Sql } from '@postrider/persistence';

/** Into which parts a campaign divides its audience. */
export interface CampaignSplit {
  salt: string;
  /** The percentage of users who get nothing. */
  holdout: number;
  /** The percentage of the others who are sent to at once; null: all. */
  share: number | null;
  /** After how many seconds the others are sent to. */
  afterSeconds: number | null;
}

/** How a campaign divides its audience; null when all are sent to alike. */
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

/** A condition: the user of the installation `i` is held out of a campaign; null: nobody is. */
export function isHeldOut(app: Parameter, { salt, holdout }: CampaignSplit): Sql | null {
  return holdout === 0 ? null : isWithin({ app, salt, user: sql`i.user_id` }, 'holdout', holdout / 100);
}

/** A condition: the user of the installation `i` waits for the winner among a campaign's variants. */
export function waitsForWinner(app: Parameter, { salt, share }: CampaignSplit): Sql {
  return share === null
    ? sql`false`
    : sql`NOT (${isWithin({ app, salt, user: sql`i.user_id` }, 'share', share / 100)})`;
}
