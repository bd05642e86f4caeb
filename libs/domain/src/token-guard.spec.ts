import { DAY_MS, MINUTE_MS } from './time';
import {
  isSilentToken,
  isSuspiciousDay,
  isSuspiciousJump,
  NEW_TOKEN_WATCH,
  normalDeadShare,
  suspiciousDeadShare,
  type TokenAnswers,
  type TokenWatch,
  watchTokens,
} from './token-guard';

const NOW = Date.parse('2026-11-21T12:00:00Z');
/** The workers' default. */
const DELAY_MS = 15 * MINUTE_MS;

/** The same sequence for the same seed (mulberry32). */
function randomOf(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296;
  };
}

interface Answer {
  isDead: boolean;
  isAlive: boolean;
  isSilent?: boolean;
}

/**
 * The behaviour of the workers and the tables together, with a clock of its own: dead answers wait, and the guard may
 * act first.
 */
class Vendor {
  off = 0;
  liveOff = 0;
  isQuarantined = false;
  #now = NOW;
  #watch: TokenWatch = NEW_TOKEN_WATCH;
  #normal = 0;
  #hour = 0;
  readonly #pending: { dueAt: number; isAlive: boolean; isSilent: boolean }[] = [];
  readonly #hours = new Map<number, TokenAnswers & { believed: number }>();

  constructor(before: TokenAnswers = { answers: 0, dead: 0 }) {
    this.#hours.set(hourOf(NOW - 2 * DAY_MS), { ...before, believed: before.dead });
  }

  answer({ isDead, isAlive, isSilent = false }: Answer, everyMs: number): void {
    this.wait(everyMs);
    const hour = this.#thisHour();
    hour.answers += 1;
    if (isDead) {
      hour.dead += 1;
      this.#pending.push({ dueAt: this.#now + DELAY_MS, isAlive, isSilent });
    }
    if (isSilent) return;
    this.#watch = watchTokens(this.#watch, isDead, 1, this.#normal);
    if (isDead) this.isQuarantined ||= isSuspiciousJump(this.#watch, this.#sum(8, 0).answers, this.#normal);
  }

  /** Lets time pass, and switches due tokens off. */
  wait(ms: number): void {
    this.#now += ms;
    const [next] = this.#pending;
    if (this.isQuarantined || next === undefined || next.dueAt > this.#now) return;
    this.isQuarantined = isSuspiciousDay(this.#sum(1, 0));
    while (!this.isQuarantined && (this.#pending[0]?.dueAt ?? Infinity) <= this.#now) {
      const { isAlive, isSilent } = this.#pending.shift() as { isAlive: boolean; isSilent: boolean };
      this.off += 1;
      if (isAlive) this.liveOff += 1;
      if (!isSilent) this.#thisHour().believed += 1;
    }
  }

  #thisHour(): TokenAnswers & { believed: number } {
    const number = hourOf(this.#now);
    let hour = this.#hours.get(number);
    if (hour === undefined) this.#hours.set(number, (hour = { answers: 0, dead: 0, believed: 0 }));
    if (number !== this.#hour) {
      this.#hour = number;
      const { answers, believed } = this.#sum(8, 1);
      this.#normal = normalDeadShare({ answers, dead: believed });
    }
    return hour;
  }

  /** Sums up the hours between these days ago. */
  #sum(fromDays: number, toDays: number): TokenAnswers & { believed: number } {
    const sum = { answers: 0, dead: 0, believed: 0 };
    for (const [hour, { answers, dead, believed }] of this.#hours) {
      if (hour < hourOf(this.#now - fromDays * DAY_MS) || hour > hourOf(this.#now - toDays * DAY_MS)) continue;
      sum.answers += answers;
      sum.dead += dead;
      sum.believed += believed;
    }
    return sum;
  }
}

function hourOf(time: number): number {
  return Math.floor(time / (60 * MINUTE_MS));
}

/** From 5 a minute to 10,000 a second. */
const INTERVALS_MS = [12_000, 3_333, 1_000, 100, 10, 1, 0.1];
const SHARES = [0.05, 0.06, 0.08, 0.1, 0.15, 0.2, 0.35, 0.5, 0.75, 0.9, 1];

describe('live tokens that a vendor calls dead', () => {
  it.each(SHARES)('are kept, all but fifty at most, when it says so of a share of %d', (share) => {
    const lost: number[] = [];
    for (const everyMs of INTERVALS_MS) {
      for (const before of [0, 200, 3_000]) {
        for (const normal of [0, 0.003, 0.01, 0.03]) {
          for (let seed = 1; seed <= 3; seed++) {
            const random = randomOf(seed * 7_919 + before);
            const vendor = new Vendor({ answers: 10_000, dead: 10_000 * normal });
            const say = (faultShare: number): void => {
              const isAlive = random() >= normal;
              vendor.answer({ isAlive, isDead: !isAlive || random() < faultShare }, everyMs);
            };
            for (let count = 0; count < before; count++) say(0);
            for (let count = 0; count < 50_000 && !vendor.isQuarantined; count++) say(share);
            vendor.wait(DAY_MS);
            expect(vendor.isQuarantined).toBe(true);
            lost.push(vendor.liveOff);
          }
        }
      }
    }
    expect(Math.max(...lost)).toBeLessThanOrEqual(50);
  });

  it('are all kept when two hundred good answers come before two hundred dead ones within the minute', () => {
    const vendor = new Vendor();
    for (let count = 0; count < 400; count++) vendor.answer({ isDead: count >= 200, isAlive: true }, 100);
    vendor.wait(DAY_MS);
    expect(vendor).toMatchObject({ isQuarantined: true, off: 0 });
  });

  it('are all kept when a project answers nothing else, to eighteen single sends a minute', () => {
    const vendor = new Vendor();
    for (let count = 0; count < 54; count++) vendor.answer({ isDead: true, isAlive: true }, MINUTE_MS / 18);
    vendor.wait(DAY_MS);
    expect(vendor).toMatchObject({ isQuarantined: true, off: 0 });
  });

  it('are fewer than fifty even when one answer a day comes, for ever', () => {
    const vendor = new Vendor();
    for (let count = 0; count < 500; count++) vendor.answer({ isDead: true, isAlive: true }, DAY_MS);
    expect(vendor.isQuarantined).toBe(true);
    expect(vendor.liveOff).toBeLessThan(50);
  });

  it('are kept in a population that was silent for a year, too, when it is not plausible', () => {
    const vendor = new Vendor();
    const random = randomOf(3);
    for (let count = 0; count < 94_038; count++) {
      vendor.answer({ isDead: random() < 0.5, isAlive: true, isSilent: true }, 1);
    }
    vendor.wait(DAY_MS);
    expect(vendor).toMatchObject({ isQuarantined: true, off: 0 });
  });
});

describe('tokens that are dead', () => {
  it('are switched off within the day, 8 % of a population after a year of silence', () => {
    const vendor = new Vendor();
    const random = randomOf(5);
    let dead = 0;
    for (let count = 0; count < 94_038; count++) {
      const isAlive = random() >= 0.08;
      if (!isAlive) dead += 1;
      vendor.answer({ isDead: !isAlive, isAlive, isSilent: true }, 1);
    }
    vendor.wait(DAY_MS);
    expect(vendor).toMatchObject({ isQuarantined: false, off: dead, liveOff: 0 });
  });

  it('are switched off also when all of them are asked first, before those that were registered since', () => {
    const vendor = new Vendor();
    for (let count = 0; count < 94_038; count++) {
      const isSilent = count < 7_500;
      vendor.answer({ isDead: isSilent, isAlive: !isSilent, isSilent }, 1);
    }
    vendor.wait(DAY_MS);
    expect(vendor).toMatchObject({ isQuarantined: false, off: 7_500, liveOff: 0 });
  });

  it.each([
    [0.001, 0],
    [0.005, 0],
    [0.01, 20_000],
    [0.03, 20_000],
  ])('raise no alarm in 100,000 answers where a share of %d is normal', (share, known) => {
    const vendor = new Vendor({ answers: known, dead: known * share });
    const random = randomOf(11);
    for (let count = 0; count < 100_000; count++) {
      const isAlive = random() >= share;
      vendor.answer({ isDead: !isAlive, isAlive }, 1);
    }
    expect(vendor.isQuarantined).toBe(false);
  });

  it('are believed in an application of a few devices, however many of them die', () => {
    const vendor = new Vendor();
    for (let count = 0; count < 49; count++)
      vendor.answer({ isDead: count % 3 === 0, isAlive: count % 3 !== 0 }, 1_000);
    vendor.wait(DAY_MS);
    expect(vendor).toMatchObject({ isQuarantined: false, off: 17 });
  });
});

describe('a suspicious share', () => {
  it.each([
    [0, 0.02],
    [0.001, 0.021],
    [0.005, 0.05],
    [0.01, 0.1],
    [0.08, 0.28],
  ])('begins, where %d is normal, at %d', (normal, suspicious) => {
    expect(suspiciousDeadShare(normal)).toBeCloseTo(suspicious, 6);
  });

  it('takes little to be normal by a handful of answers', () => {
    expect(normalDeadShare({ answers: 10, dead: 5 })).toBe(0.005);
    expect(normalDeadShare({ answers: 10_000, dead: 50 })).toBe(0.005);
  });

  it('is no suspicion until fifty answers are known, of this watch or of the last days', () => {
    const watch = { answers: 20, dead: 20, excess: 19, drift: 19 };
    expect(isSuspiciousJump(watch, 49, 0)).toBe(false);
    expect(isSuspiciousJump(watch, 50, 0)).toBe(true);
    expect(isSuspiciousJump({ ...watch, answers: 50 }, 0, 0)).toBe(true);
  });

  it('may be exceeded for longer by chance where more is normal', () => {
    const watch = { answers: 400, dead: 60, excess: 0, drift: 12 };
    expect(isSuspiciousJump(watch, 1_000, 0)).toBe(true);
    expect(isSuspiciousJump(watch, 1_000, 0.1)).toBe(false);
    expect(isSuspiciousJump({ ...watch, drift: 43 }, 1_000, 0.1)).toBe(true);
  });

  it('is that of a day when more than three in ten of fifty answers or more are dead', () => {
    expect(isSuspiciousDay({ answers: 100, dead: 30 })).toBe(false);
    expect(isSuspiciousDay({ answers: 100, dead: 31 })).toBe(true);
    expect(isSuspiciousDay({ answers: 49, dead: 49 })).toBe(false);
  });

  it('knows a silent token by the time of its registration', () => {
    expect(isSilentToken(NOW - 270 * DAY_MS, NOW)).toBe(true);
    expect(isSilentToken(NOW - 269 * DAY_MS, NOW)).toBe(false);
    expect(isSilentToken(null, NOW)).toBe(false);
  });
});
