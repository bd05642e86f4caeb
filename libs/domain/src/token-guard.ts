import { DAY_MS } from './time';

/** Over fewer answers a share says nothing. */
const LEAST_ANSWERS = 50;
/** Dead answers above the suspicious share at which a quarantine begins. */
const MOST_EXCESS = 12;
/**
 * The same of dead answers beyond what the normal share and `LEAST_JUMP` would have brought, below a suspicious share too; where
 * much is normal, as much more as chance brings.
 */
const MOST_DRIFT = 12;
const MOST_DRIFT_BY_NORMAL = 430;
/** A share of dead answers is suspicious from this many times the normal share on, */
const JUMP = 10;
/** but only if it is also this much above the normal share. */
const LEAST_JUMP = 0.02;
/** A share this much above the normal one is suspicious, however high the normal one is. */
const MOST_JUMP = 0.2;
/** A normal share is learnt from so many answers; fewer count as if the rest of them had been accepted. */
const LEARNT_FROM = 1_000;
/** Vendors let tokens die that were not used for this long ("inactive 270 days", FCM). */
const SILENT_AFTER_MS = 270 * DAY_MS;
/** If more than this share of a day's answers (silent tokens included) say "dead", the tokens are not to blame. */
const MOST_OF_A_DAY = 0.3;

/** What a vendor answered about an application's tokens in some time: how many answers, and how many of them "dead". */
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

/** A watch that has seen nothing. */
export const NEW_TOKEN_WATCH: Readonly<TokenWatch> = { answers: 0, dead: 0, excess: 0, drift: 0 };

/** Whether a token was not registered for so long that a vendor may have let it die by itself. Milliseconds since 1970. */
export function isSilentToken(registeredAt: number | null, now: number): boolean {
  return registeredAt !== null && now - registeredAt >= SILENT_AFTER_MS;
}

/** The share of dead answers that is normal, by what was believed over the last days. */
export function normalDeadShare({ answers, dead }: TokenAnswers): number {
  return dead / Math.max(answers, LEARNT_FROM);
}

/** From which share on dead answers are suspicious, where `normal` is the normal one. */
export function suspiciousDeadShare(normal: number): number {
  return Math.min(Math.max(normal * JUMP, normal + LEAST_JUMP), normal + MOST_JUMP);
}

/** A share as people read it. */
export function roundedShare(share: number): number {
  return Number(share.toFixed(4));
}

/**
 * Takes answers that came one after the other, `isDead` or not. Two cumulative sums (Page 1954): each dead answer adds what it
 * exceeds a share by, each accepted one takes the share off, never below nothing. So a jump is noticed after the same number of
 * dead answers whether they come in a second or in a week, and whatever number of good ones came before. One share is the
 * suspicious one; the other, little above the normal one, limits what a smaller jump can do.
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
 * Whether so many dead answers must have another cause than the tokens: wrong credentials, another project, a vendor's fault.
 *
 * @param known answers about the application's tokens in the last days, these included
 * @param normal from `normalDeadShare`
 */
export function isSuspiciousJump({ answers, excess, drift }: TokenWatch, known: number, normal: number): boolean {
  if (Math.max(answers, known) < LEAST_ANSWERS) return false;
  return excess >= MOST_EXCESS || drift >= Math.max(MOST_DRIFT, normal * MOST_DRIFT_BY_NORMAL);
}

/** Whether a whole day's answers, those about silent tokens included, call too many dead to be believed. */
export function isSuspiciousDay({ answers, dead }: TokenAnswers): boolean {
  return answers >= LEAST_ANSWERS && dead > answers * MOST_OF_A_DAY;
}
