import type { Lane } from '../message';

/** A paced send is sent in pages of this fraction of a second, so that it is even. */
const PAGES_A_SECOND = 10;

/**
 * How early a page may come, as a share of its own time: jobs are not exact to the millisecond. By twice this share of a page more
 * devices than the limit and one page may pass in a second.
 */
const EARLY_SHARE = 0.2;

/** A page that comes later than this after its turn has lost it. Otherwise many delayed pages would be sent at once. */
const TURN_KEPT_MS = 400;

/** The most devices on a page, so that pages can be spread evenly. */
export function pacedPageSize(pageSize: number, perSecond: number | null): number {
  if (perSecond === null) return pageSize;
  return Math.max(1, Math.min(pageSize, Math.floor(perSecond / PAGES_A_SECOND)));
}

/** The longest queue that campaigns make of an application's limit, so that named users get through. */
const CAMPAIGN_LINE_MS = 500;

/** A limit and its state. Times in milliseconds since 1970. */
export interface Pace {
  perSecond: number;
  /** From when on the next page may get a turn. */
  nextAt: number;
  /** Until when the admitted pages hold the next page back. Behind `nextAt` by the turns that nobody has used yet. */
  passedUntil: number;
}

/** The state of a pace. */
export type PaceMark = Omit<Pace, 'perSecond'>;

/** A page that asks for admission. */
export interface PageAtGate {
  now: number;
  lane: Lane;
  devices: number;
  /** The turn that it got before: from when, and if the application's limit has counted it. */
  turn: { at: number; isCounted: boolean } | null;
  /** The state of its message's pace, and the message's limit, if it has one. */
  message: PaceMark & { perSecond: number | null };
  /** The limit of its application, and the number of campaigns that share it now. */
  application: (Pace & { sends: number }) | null;
}

/** The answer of the gate, and the new state of the paces. */
export interface GateAnswer {
  /** Null: it may be sent now. Else its turn. */
  waitsFor: { at: number; isCounted: boolean } | null;
  message: PaceMark;
  application: PaceMark | null;
}

/** If a page comes without a turn, in its turn, or after it. */
type Arrival = 'new' | 'in turn' | 'late';

/**
 * Decides if a page may be sent now, or else when its turn is. Pure. Turns are given one after the other, each for the
 * time that the page takes. A page that missed its turn is admitted as soon as no other page was just admitted. So in
 * no second more devices pass than the limit and a page and a half, whoever asks, and however often.
 *
 * Campaigns share an application's limit evenly: each uses its share, and gives way to named users, who use the whole
 * limit.
 */
export function passGate(page: PageAtGate): GateAnswer {
  const { now, turn, application, devices } = page;
  const own = ownPace(page);
  // A page that its message admitted queues at the application's limit.
  if (own === null || turn?.isCounted === true) {
    return passApplication(page, own, { waitsFor: null, message: page.message, application });
  }
  const taken = take(own, devices, now, arrivalOf(page));
  const answer = { waitsFor: null, message: taken.pace, application };
  if (taken.isAllowed) return passApplication(page, own, answer);
  return { ...answer, waitsFor: { at: taken.at, isCounted: false } };
}

/** Applies the application's limit to a page that its message admits. */
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
  // It queues behind its own pages instead, and named users overtake it.
  const at = Math.max(application.nextAt, own.nextAt);
  const message = { ...page.message, nextAt: at + stepOf(devices, own.perSecond) };
  return { waitsFor: { at, isCounted: false }, message, application };
}

function arrivalOf({ now, turn }: PageAtGate): Arrival {
  if (turn === null || now < turn.at) return 'new';
  return now - turn.at <= TURN_KEPT_MS ? 'in turn' : 'late';
}

/** The limit of the message itself: its rate, and for a campaign its share of the application's limit. Null: none. */
function ownPace({ lane, message, application }: PageAtGate): Pace | null {
  const share = application === null || lane !== 'campaign' ? Infinity : application.perSecond / application.sends;
  const perSecond = Math.min(message.perSecond ?? Infinity, share);
  return perSecond === Infinity ? null : { ...message, perSecond };
}

/**
 * Applies one limit. A page in its turn is admitted, or right after the previously admitted one. A late page is
 * admitted if no other page was just admitted, or gets another turn. The same is true for a page without a turn that
 * comes early.
 */
function take(pace: Pace, devices: number, now: number, arrival: Arrival): Taken {
  const step = stepOf(devices, pace.perSecond);
  // Jobs are not exact to the millisecond: one that is a little late does not slow down the next.
  const isTime = (at: number): boolean => at <= now + step * EARLY_SHARE;
  const passed = { nextAt: pace.nextAt, passedUntil: Math.max(pace.passedUntil, now - step * EARLY_SHARE) + step };
  if (arrival !== 'new' && isTime(pace.passedUntil)) return { isAllowed: true, at: now, pace: passed };
  if (arrival === 'in turn') return { isAllowed: false, at: pace.passedUntil, pace };
  const nextAt = Math.max(pace.nextAt, now) + step;
  if (isTime(pace.nextAt)) return { isAllowed: true, at: now, pace: { ...passed, nextAt } };
  return { isAllowed: false, at: pace.nextAt, pace: { ...pace, nextAt } };
}

/**
 * The answer of one limit: if the page is admitted, else from when it may come again, and the new state of the limit.
 */
interface Taken {
  isAllowed: boolean;
  at: number;
  pace: PaceMark;
}

function stepOf(devices: number, perSecond: number): number {
  return (devices * 1_000) / perSecond;
}
