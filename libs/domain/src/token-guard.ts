import { DAY_MS } from './time';

/** With fewer answers a share means nothing. */
const LEAST_ANSWERS = 50;
/** The number of dead answers above the suspicious share at which a quarantine begins. */
const MOST_EXCESS = 12;
/**
 * The same for dead answers beyond the normal share plus `LEAST_JUMP`, also below a suspicious share. If much is
 * normal, the limit grows with chance.
 */
const MOST_DRIFT = 12;
const MOST_DRIFT_BY_NORMAL = 430;
/** From this multiple of the normal share on, a share of dead answers is suspicious, */
const JUMP = 10;
/** but only if it also exceeds the normal share by this much. */
const LEAST_JUMP = 0.02;
/** A share that exceeds the normal one by this much is suspicious, however high the normal one is. */
const MOST_JUMP = 0.2;
/** The normal share needs this many answers. With fewer, the missing ones count as accepted. */
const LEARNT_FROM = 1_000;
/** Vendors let tokens die that were not used for this long ("inactive 270 days", FCM). */
const SILENT_AFTER_MS = 270 * DAY_MS;
/** If more than this share of a day's answers (silent tokens included) are "dead", the tokens are not the cause. */
const MOST_OF_A_DAY = 0.3;

/** A vendor's answers about an application's tokens in some time: how many, and how many of them were "dead". */
export interface TokenAnswers {
  answers: number;
  dead: number;
}

/**
 * State of the two cumulative sums since they were last zero: answers, dead answers, excess over the suspicious share,
 * drift over the normal one.
 */
export interface TokenWatch extends TokenAnswers {
  excess: number;
  drift: number;
}

/** A watch without answers. */
export const NEW_TOKEN_WATCH: Readonly<TokenWatch> = { answers: 0, dead: 0, excess: 0, drift: 0 };

/** Whether a token was not registered for so long that a vendor may have let it die by itself. Milliseconds since 1970. */
export function isSilentToken(registeredAt: number | null, now: number): boolean {
  return registeredAt !== null && now - registeredAt >= SILENT_AFTER_MS;
}

/** The normal share of dead answers, from the believed ones of the last days. */
export function normalDeadShare({ answers, dead }: TokenAnswers): number {
  return dead / Math.max(answers, LEARNT_FROM);
}

/** Returns the share from which on dead answers are suspicious. `normal` is the normal share. */
export function suspiciousDeadShare(normal: number): number {
  return Math.min(Math.max(normal * JUMP, normal + LEAST_JUMP), normal + MOST_JUMP);
}

/** A share, rounded for people. */
export function roundedShare(share: number): number {
  return Number(share.toFixed(4));
}

/**
 * Adds answers, in the order in which they came; `isDead` or not. Two cumulative sums (Page 1954): each dead answer
 * adds 1 minus a share, each accepted one subtracts the share, and the sum never falls below zero. So a jump is noticed
 * after the same number of dead answers, whether they come in a second or in a week, and whatever number of good ones
 * came before. One share is the suspicious one. The other, slightly above the normal one, limits the effect of a
 * smaller jump.
 *
 * @param normal from `normalDeadShare`
 */
export function watchTokens(watch: TokenWatch, isDead: boolean, count: number, normal: number): TokenWatch {
  const dead = isDead ? count : 0;
  const drift = watch.drift + dead - count * (normal + LEAST_JUMP);
  if (drift <= 0) return NEW_TOKEN_WATCH;
  const excess = Math.max(0, watch.excess + dead - count * suspiciousDeadShare(normal));
  return { answers: watch.answers + count, dead: watch.dead + dead, excess, drift };
}

/**
 * True if so many dead answers must have another cause than the tokens: wrong credentials, another project, a fault of
 * the vendor.
 *
 * @param known answers about the application's tokens in the last days, including these
 * @param normal from `normalDeadShare`
 */
export function isSuspiciousJump({ answers, excess, drift }: TokenWatch, known: number, normal: number): boolean {
  if (Math.max(answers, known) < LEAST_ANSWERS) return false;
  return excess >= MOST_EXCESS || drift >= Math.max(MOST_DRIFT, normal * MOST_DRIFT_BY_NORMAL);
}

/** True if a whole day's answers, including those about silent tokens, call too many tokens dead to be believed. */
export function isSuspiciousDay({ answers, dead }: TokenAnswers): boolean {
  return answers >= LEAST_ANSWERS && dead > answers * MOST_OF_A_DAY;
}
