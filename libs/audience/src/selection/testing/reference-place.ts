import { createHash } from 'node:crypto';
import type { CampaignSplit } from '../campaign-split';

const FIRST_DIGIT = { holdout: 0, share: 8, variant: 16 } as const;

/** `placeOfUser` once more, to compare it with. */
export function referencePlace(
  appId: string,
  { salt }: Pick<CampaignSplit, 'salt'>,
  userId: string,
  asked: keyof typeof FIRST_DIGIT,
): number {
  const digits = createHash('md5').update(`${appId}\n${salt}\n${userId}`).digest('hex');
  return Number.parseInt(digits.slice(FIRST_DIGIT[asked], FIRST_DIGIT[asked] + 8), 16);
}
