import type { Lane } from '../message';
import { MINUTE_MS } from '../time';
import type { SendTime } from './send-slots';

/** A paced send is sent in pages of this fraction of a second, so that it is even. */
const PAGES_A_SECOND = 10;

/** How long before its time a page may be admitted. Its worker prepares it, and sends it in time. */
const EARLY_MS = 500;

/** A campaign's page is sent at least this much later than it is admitted, which is about as long as it takes to prepare it. */
const PREPARED_MS = 250;

/** A page that comes later than this after its turn has lost it. Otherwise many delayed pages would be sent at once. */
const TURN_KEPT_MS = 400;

/** The most devices on a page, so that pages can be spread evenly. */
export function pacedPageSize(pageSize: number, perSecond: number | null): number {
  if (perSecond === null) return pageSize;
  return Math.max(1, Math.min(pageSize, Math.floor(perSecond / PAGES_A_SECOND)));
}

/** The longest queue that campaigns make of an application's limit, so that named users get through. */
const CAMPAIGN_LINE_MS = 500;

/** Clocks show whole milliseconds: what seems to be in time may be this much later. */
const CLOCK_STEP_MS = 1;

/** A page that lost this many times without sending to one device gets one in which it may be later. */
const MISSED_WITHOUT_SPARE = 2;

/** How much later it may be, doubled each time. Nobody else is sent to meanwhile. */
const FIRST_SPARE_MS = 200;
const LONGEST_SPARE_MS = 6_400;

/** No time is given so far ahead. If a limit's times seem to be, the clock was set back since they were given. */
const MOST_AHEAD_MS = 10 * MINUTE_MS;

/** A limit and its state. Times in milliseconds since 1970. */
interface Pace {
  perSecond: number;
  /** The time of the next page that gets a turn. */
  nextAt: number;
  /** The time of the next page that is admitted. Behind `nextAt` by the turns that nobody has used yet. */
  passedUntil: number;
}

/** The state of a pace. */
export type PaceMark = Omit<Pace, 'perSecond'>;

/** A page that asks for admission. */
export interface PageToAdmit {
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

/** The page is admitted, and sent at its time. */
interface Admitted {
  kind: 'admitted';
  time: SendTime;
}

/** What is decided about a page: it is admitted; or it comes again at `at`, which is its turn. */
type AdmissionDecision = Admitted | { kind: 'waits'; at: number; isCounted: boolean };

/** The decision about a page, and the new state of the paces. */
export interface AdmissionAnswer {
  decision: AdmissionDecision;
  message: PaceMark;
  application: PaceMark | null;
}

/** The answer to a page that is admitted. */
interface AdmittingAnswer extends AdmissionAnswer {
  decision: Admitted;
}

/** If a page comes without a turn, in its turn, or after it. */
type Arrival = 'new' | 'in turn' | 'late';

/**
 * Decides if a page is admitted, or else when its turn is. Pure. Turns are given one after the other, each for the time
 * that the page takes. A page that missed its turn is admitted as soon as no other page was just admitted.
 *
 * Each admitted page gets a time of its own, which has a part for each device (`SendSlots`), and the next one's time begins
 * when it has had its own. So in no second more than the limit and a page of a tenth of it are sent to, whoever asks, and
 * however often. What could not be sent in its time asks for another one (`takeAnotherTime`).
 *
 * Campaigns share an application's limit evenly: each uses its share, and gives way to named users, who use the whole
 * limit.
 */
export function admitPage(asking: PageToAdmit): AdmissionAnswer {
  const page = firstPartOf(withoutLostHours(asking));
  const own = ownPace(page);
  if (own === null) return passApplication(page, own, page.message, page.now);
  // A page that its message admitted queues at the application's limit.
  if (page.turn?.isCounted === true) return passApplicationAgain(page, own);
  const { isAllowed, pace, at } = take(own, page, arrivalOf(page));
  if (isAllowed) return passApplication(page, own, pace, at);
  return { decision: { kind: 'waits', at, isCounted: false }, message: pace, application: page.application };
}

/** Applies the application's limit to a page that its message admitted before. That has the time that its message can give it now. */
function passApplicationAgain(page: PageToAdmit, own: Pace): AdmissionAnswer {
  const { now, message, application } = page;
  if (isNear(own.passedUntil, now)) return passApplication(page, own, message, Math.max(now, own.passedUntil));
  return { decision: { kind: 'waits', at: own.passedUntil - EARLY_MS, isCounted: true }, message, application };
}

/** Applies the application's limit to a page that its message admits. @param earliest when its message lets it be sent */
function passApplication(page: PageToAdmit, own: Pace | null, message: PaceMark, earliest: number): AdmissionAnswer {
  const { turn, application, lane } = page;
  if (application === null) return admittedAt(earliest, page, { own, message, application: null });
  const { isAllowed, pace, at } = take(application, page, turn?.isCounted === true ? arrivalOf(page) : 'new');
  if (isAllowed) {
    return admittedAt(Math.max(at, earliest), page, { own, message, application: { ...application, ...pace } });
  }
  const isLineShort = application.nextAt <= page.now + CAMPAIGN_LINE_MS;
  if (own !== null && lane === 'campaign' && !isLineShort) return queueAgain(page, own, application);
  // The message has given a turn, not yet a time.
  const { passedUntil } = page.message;
  return { decision: { kind: 'waits', at, isCounted: true }, message: { ...message, passedUntil }, application: pace };
}

/** Lets a campaign's page queue behind the campaign's other pages, so that named users overtake it at the application's limit. */
function queueAgain({ message, devices }: PageToAdmit, own: Pace, application: Pace): AdmissionAnswer {
  const nextAt = Math.max(application.nextAt, own.nextAt);
  return {
    decision: { kind: 'waits', at: nextAt - EARLY_MS, isCounted: false },
    message: { ...message, nextAt: nextAt + stepOf(devices, own) },
    application,
  };
}

/**
 * Gives what is left of an admitted page another time, because it could not be sent in its own: the next that its limits have.
 * Pure.
 * @param missed how many times it lost before, one after the other, without sending to one device: its worker may always be late
 */
export function takeAnotherTime(asking: PageToAdmit, missed: number): AdmittingAnswer {
  const page = firstPartOf(withoutLostHours(asking));
  const { now, message, application } = page;
  const own = ownPace(page);
  const sendsAt = Math.max(now, own?.passedUntil ?? now, application?.passedUntil ?? now);
  const spare = FIRST_SPARE_MS * 2 ** (missed - MISSED_WITHOUT_SPARE);
  const spareMs = missed < MISSED_WITHOUT_SPARE ? 0 : Math.min(spare, LONGEST_SPARE_MS);
  return admittedAt(sendsAt, page, { own, message, application }, spareMs);
}

/**
 * Begins limits anew whose times are of a clock that was set back meanwhile: otherwise an application would send nothing until the
 * clock has caught up.
 */
function withoutLostHours(page: PageToAdmit): PageToAdmit {
  const { now, message, application } = page;
  const anew = { nextAt: now, passedUntil: now };
  return {
    ...page,
    message: isOfLaterClock(message.passedUntil, now) ? { ...message, ...anew } : message,
    application:
      application !== null && isOfLaterClock(application.passedUntil, now) ? { ...application, ...anew } : application,
  };
}

/** True if a time that a limit has given is further ahead than any that it gives. All in milliseconds since 1970. */
export function isOfLaterClock(given: number, now: number): boolean {
  return given > now + MOST_AHEAD_MS;
}

/** A page that was made before its limits may be larger than they allow. It gets a time for its first devices, then others. */
function firstPartOf(page: PageToAdmit): PageToAdmit {
  const limits = limitsOf(page);
  return limits.length === 0 ? page : { ...page, devices: pacedPageSize(page.devices, Math.min(...limits)) };
}

function limitsOf({ message, application }: Pick<PageToAdmit, 'message' | 'application'>): number[] {
  return [message.perSecond, application?.perSecond ?? null].filter((limit) => limit !== null);
}

/** Admits a page. Each of its limits counts its time, and how much later it may begin. */
function admittedAt(
  sendsAt: number,
  page: PageToAdmit,
  { own, message, application }: { own: Pace | null; message: PaceMark; application: Pace | null },
  spareMs = 0,
): AdmittingAnswer {
  const hold = ({ nextAt, passedUntil }: PaceMark, limit: Pace | null): PaceMark => {
    const until = limit === null ? passedUntil : Math.max(passedUntil, sendsAt + stepOf(page.devices, limit) + spareMs);
    return { nextAt: Math.max(nextAt, until), passedUntil: until };
  };
  return {
    decision: { kind: 'admitted', time: { sendsAt, devices: page.devices, ...slotsOf(page), spareMs } },
    message: hold(message, own),
    application: application === null ? null : hold(application, application),
  };
}

/**
 * Returns the time between the devices of an admitted page, and how late each may be. A limit is kept if each device has a
 * time of its own, `1 / limit` after the one before, and is sent to within the time of a small page after it. Of two limits, the
 * faster one counts the page as shorter than the slower one does: the devices go by the middle of both, and may be less late.
 */
function slotsOf(page: PageToAdmit): Pick<SendTime, 'everyMs' | 'keptMs'> {
  const limits = limitsOf(page);
  const [slow, fast] = [1_000 / Math.min(...limits), 1_000 / Math.max(...limits)];
  const kept = Math.min(...limits.map((limit) => stepOf(pacedPageSize(Infinity, limit), { perSecond: limit })));
  const apart = ((page.devices - 1) * (slow - fast)) / 2;
  return { everyMs: (slow + fast) / 2, keptMs: Math.max(0, kept - apart - CLOCK_STEP_MS) };
}

function arrivalOf({ now, turn }: PageToAdmit): Arrival {
  if (turn === null || now < turn.at) return 'new';
  return now - turn.at <= TURN_KEPT_MS ? 'in turn' : 'late';
}

/** The limit of the message itself: its rate, and for a campaign its share of the application's limit. Null: none. */
function ownPace({ lane, message, application }: PageToAdmit): Pace | null {
  const share = application === null || lane !== 'campaign' ? Infinity : application.perSecond / application.sends;
  const perSecond = Math.min(message.perSecond ?? Infinity, share);
  return perSecond === Infinity ? null : { ...message, perSecond };
}

/**
 * Applies one limit. A page in its turn is admitted, or right after the previously admitted one. A late page is
 * admitted if no other page was just admitted, or gets another turn. The same is true for a page without a turn that
 * comes early.
 */
function take(pace: Pace, { now, lane, devices }: PageToAdmit, arrival: Arrival): Taken {
  const step = stepOf(devices, pace);
  const sendsAt = Math.max(pace.passedUntil, lane === 'campaign' ? now + PREPARED_MS : now);
  const passed = { nextAt: pace.nextAt, passedUntil: sendsAt + step };
  if (arrival !== 'new' && isNear(pace.passedUntil, now)) return { isAllowed: true, at: sendsAt, pace: passed };
  if (arrival === 'in turn') return { isAllowed: false, at: pace.passedUntil - EARLY_MS, pace };
  const nextAt = Math.max(pace.nextAt, now) + step;
  if (isNear(pace.nextAt, now)) return { isAllowed: true, at: sendsAt, pace: { ...passed, nextAt } };
  return { isAllowed: false, at: pace.nextAt - EARLY_MS, pace: { ...pace, nextAt } };
}

/** True if a page whose time is at `at` may be admitted: its worker prepares it meanwhile. */
function isNear(at: number, now: number): boolean {
  return at <= now + EARLY_MS;
}

/**
 * The answer of one limit: if the page is admitted, and when it is sent, else from when it may come again; and the new
 * state of the limit.
 */
interface Taken {
  isAllowed: boolean;
  at: number;
  pace: PaceMark;
}

function stepOf(devices: number, { perSecond }: Pick<Pace, 'perSecond'>): number {
  return (devices * 1_000) / perSecond;
}
