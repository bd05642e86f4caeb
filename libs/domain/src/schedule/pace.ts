import type { Lane } from '../message';

/** A paced send goes out in pages of about this much of a second, so that it is even. */
const PAGES_A_SECOND = 10;

/** A page may be this much of its own time early: jobs do not come on the millisecond. */
const EARLY_SHARE = 0.5;

/** A page that comes later than this after its turn has lost it, or many that were held up would go out at once. */
const TURN_KEPT_MS = 400;

/** How many devices a page holds at most, so that pages of it can be spread evenly. */
export function pacedPageSize(pageSize: number, perSecond: number | null): number {
  if (perSecond === null) return pageSize;
  return Math.max(1, Math.min(pageSize, Math.floor(perSecond / PAGES_A_SECOND)));
}

/** Campaigns make an application's line no longer than this: named users have to get through. */
const CAMPAIGN_LINE_MS = 500;

/** A limit and how it stands. Times in milliseconds since 1970. */
export interface Pace {
  perSecond: number;
  /** From when on the next page may be given a turn. */
  nextAt: number;
  /** Until when what passed keeps the next page back. Behind `nextAt` by the turns that nobody has taken yet. */
  passedUntil: number;
}

/** How a pace stands. */
export type PaceMark = Omit<Pace, 'perSecond'>;

/** A page that asks whether it may be sent. */
export interface PageAtGate {
  now: number;
  lane: Lane;
  devices: number;
  /** The turn that it was given before: from when, and whether it is the application's. */
  turn: { at: number; isCounted: boolean } | null;
  /** How the pace of its message stands, and the limit of it, if it has one. */
  message: PaceMark & { perSecond: number | null };
  /** The limit of its application, and how many campaigns share it now. */
  application: (Pace & { sends: number }) | null;
}

/** What the gate says, and how the paces stand after it. */
export interface GateAnswer {
  /** Null: it may be sent now. Else its turn. */
  waitsFor: { at: number; isCounted: boolean } | null;
  message: PaceMark;
  application: PaceMark | null;
}

/** Whether a page comes without a turn, in it, or after it. */
type Arrival = 'new' | 'in turn' | 'late';

/**
 * Decides whether a page may be sent now, or else when its turn is; pure. Turns are given one after the other, each for the
 * time that the page takes; a page that missed its turn goes as soon as nobody else just went. So in no second do more
 * devices pass than the limit says and two pages, whoever asks, and however often.
 *
 * Campaigns share an application's limit evenly: each goes at its share, and gives way to named users, who take from the whole.
 */
export function passGate(page: PageAtGate): GateAnswer {
  const { now, turn, application, devices } = page;
  const own = ownPace(page);
  // In the application's line stands who was let go by its message.
  if (own === null || turn?.isCounted === true) {
    return passApplication(page, own, { waitsFor: null, message: page.message, application });
  }
  const taken = take(own, devices, now, arrivalOf(page));
  const answer = { waitsFor: null, message: taken.pace, application };
  if (taken.isAllowed) return passApplication(page, own, answer);
  return { ...answer, waitsFor: { at: taken.at, isCounted: false } };
}

/** Asks the application's limit about a page that its message lets go. */
function passApplication(page: PageAtGate, own: Pace | null, answer: GateAnswer): GateAnswer {
  const { now, turn, application, devices, lane } = page;
  if (application === null) return answer;
  const {
    isAllowed,
    pace,
    at: turnAt,
  } = take(application, devices, now, turn?.isCounted === true ? arrivalOf(page) : 'new');
  if (isAllowed) return { ...answer, application: pace };
  const isLineShort = application.nextAt <= now + CAMPAIGN_LINE_MS;
  if (own === null || lane === 'transactional' || isLineShort) {
    return { ...answer, waitsFor: { at: turnAt, isCounted: true }, application: pace };
  }
  // It queues behind its own pages instead, and named users pass by.
  const at = Math.max(application.nextAt, own.nextAt);
  const message = { ...page.message, nextAt: at + stepOf(devices, own.perSecond) };
  return { waitsFor: { at, isCounted: false }, message, application };
}

function arrivalOf({ now, turn }: PageAtGate): Arrival {
  if (turn === null || now < turn.at) return 'new';
  return now - turn.at <= TURN_KEPT_MS ? 'in turn' : 'late';
}

/** What the message itself keeps to: its rate, and for a campaign its share of the application's limit; null: nothing. */
function ownPace({ lane, message, application }: PageAtGate): Pace | null {
  const share = application === null || lane !== 'campaign' ? Infinity : application.perSecond / application.sends;
  const perSecond = Math.min(message.perSecond ?? Infinity, share);
  return perSecond === Infinity ? null : { ...message, perSecond };
}

/**
 * Asks one limit. A page in its turn goes, or right after whoever just went; one that is late goes when nobody just went, or
 * gets another turn; so does one that comes without a turn when it is not its time.
 */
function take(pace: Pace, devices: number, now: number, arrival: Arrival): Taken {
  const step = stepOf(devices, pace.perSecond);
  // Jobs do not come on the millisecond: one that is a little late does not slow down the next.
  const isTime = (at: number): boolean => at <= now + step * EARLY_SHARE;
  const passed = { nextAt: pace.nextAt, passedUntil: Math.max(pace.passedUntil, now - step * EARLY_SHARE) + step };
  if (arrival !== 'new' && isTime(pace.passedUntil)) return { isAllowed: true, at: now, pace: passed };
  if (arrival === 'in turn') return { isAllowed: false, at: pace.passedUntil, pace };
  const nextAt = Math.max(pace.nextAt, now) + step;
  if (isTime(pace.nextAt)) return { isAllowed: true, at: now, pace: { ...passed, nextAt } };
  return { isAllowed: false, at: pace.nextAt, pace: { ...pace, nextAt } };
}

/** What one limit says: whether the page goes, else from when it may come again, and how the limit stands then. */
interface Taken {
  isAllowed: boolean;
  at: number;
  pace: PaceMark;
}

function stepOf(devices: number, perSecond: number): number {
  return (devices * 1_000) / perSecond;
}
