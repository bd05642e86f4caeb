/** How many users a variant was sent to, and how many of them reacted. */
export interface VariantCount {
  users: number;
  reacted: number;
}

/** A share of users, and the interval that contains the true share in 95 of 100 cases. */
interface ShareEstimate {
  share: number;
  low: number;
  high: number;
}

/** The quantile of the normal distribution for an interval of 95 %. */
const Z = 1.959963984540054;

/**
 * The interval of Wilson (1927), which is also valid for few users and for shares near 0 and 1. Null: there are no
 * users.
 */
export function estimateShare({ users, reacted }: VariantCount): ShareEstimate | null {
  if (users <= 0) return null;
  const share = reacted / users;
  const divisor = 1 + Z ** 2 / users;
  const centre = (share + Z ** 2 / (2 * users)) / divisor;
  const half = (Z / divisor) * Math.sqrt((share * (1 - share)) / users + Z ** 2 / (4 * users ** 2));
  return { share, low: Math.max(0, centre - half), high: Math.min(1, centre + half) };
}

/**
 * The place of the variant with the highest share of users who reacted. The first one if several are equal, or none has
 * users.
 */
export function bestVariant(counts: readonly VariantCount[]): number {
  const shares = counts.map(({ users, reacted }) => (users === 0 ? 0 : reacted / users));
  return Math.max(0, shares.indexOf(Math.max(...shares)));
}

/** With fewer users who reacted, or who did not, the test below is not valid. */
const LEAST_IN_CELL = 5;

/**
 * True if two shares differ by more than chance explains in 95 of 100 cases, by the test of two proportions. Null:
 * there are too few users.
 *
 * @param comparisons how many pairs are compared at once: with more pairs, each needs more certainty (Bonferroni)
 */
export function isDifferent(one: VariantCount, other: VariantCount, comparisons = 1): boolean | null {
  const users = one.users + other.users;
  const share = (one.reacted + other.reacted) / users;
  const cells = [one, other].flatMap((count) => [count.users * share, count.users * (1 - share)]);
  if (users === 0 || cells.some((expected) => expected < LEAST_IN_CELL)) return null;
  const error = Math.sqrt(share * (1 - share) * (1 / one.users + 1 / other.users));
  const z = Math.abs(one.reacted / one.users - other.reacted / other.users) / error;
  return z > (comparisons <= 1 ? Z : quantileFor(0.05 / comparisons));
}

/** The two-sided quantile of the normal distribution, to three digits (Abramowitz and Stegun 26.2.23). */
function quantileFor(level: number): number {
  const t = Math.sqrt(-2 * Math.log(level / 2));
  return t - (2.515517 + 0.802853 * t + 0.010328 * t ** 2) / (1 + 1.432788 * t + 0.189269 * t ** 2 + 0.001308 * t ** 3);
}
