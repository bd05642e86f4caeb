import {
  firstTimeZone,
  isTimeZone,
  type Lane,
  lastCallAt,
  nextMomentOf,
  type QuietHours,
  quietUntil,
  type Reach,
  SCHEDULE_SLACK_MS,
} from '@postrider/domain';

/** What steers a message that is being resolved. */
export interface Course {
  lane: Lane;
  reach: Reach;
  /** Since when the message is on its way, and when it ends. */
  acceptedAt: Date;
  expiresAt: Date;
  /** Devices per second: the message's own limit and its application's. */
  rate: number | null;
  devicesPerSecond: number | null;
  localTime: Date | null;
  ttlSeconds: number | null;
  /** Null: none, or none for this message. */
  quietHours: QuietHours | null;
  defaultTimeZone: string | null;
}

/** When the devices of one time zone are sent to. */
export interface ZonePlan {
  /** As devices say it; `` stands for all that say none, or none that there is. */
  zone: string;
  /** Null: now. */
  due: Date | null;
  /** What they wait for until then. */
  waitsFor: 'quiet_hours' | 'local_time' | null;
  /** From when to when the message may be sent there; null: as everywhere. */
  starts: Date | null;
  ends: Date | null;
  /** Whether the message would be over before it may be sent. */
  isLate: boolean;
}

/** When the devices in each of `zones` are sent to; pure, and the same however often it is asked, but for quiet hours. */
export function planZones(course: Course, zones: readonly string[], now: Date): ZonePlan[] {
  const known = needsZones(course) ? zones.filter(isTimeZone) : [];
  const elsewhere = planZone(course, '', firstTimeZone(course.defaultTimeZone), now);
  return [elsewhere, ...known.map((zone) => planZone(course, zone, zone, now))];
}

/** Whether it makes a difference where a device is. */
export function needsZones({ localTime, quietHours }: Pick<Course, 'localTime' | 'quietHours'>): boolean {
  return localTime !== null || quietHours?.timeZone === 'device';
}

/**
 * When a message with a local time begins and ends in a time zone. Where that time was over when it was accepted, it is the
 * next day's.
 */
export function localSpan(
  { localTime, ttlSeconds, acceptedAt }: { localTime: Date; ttlSeconds: number; acceptedAt: Date },
  zone: string,
): { starts: Date; ends: Date } {
  const starts = nextMomentOf(localTime.getTime(), zone, acceptedAt.getTime() - SCHEDULE_SLACK_MS);
  return { starts: new Date(starts), ends: new Date(starts + ttlSeconds * 1_000) };
}

function planZone(course: Course, zone: string, where: string, now: Date): ZonePlan {
  const { localTime, acceptedAt, expiresAt, quietHours } = course;
  const ttlSeconds = course.ttlSeconds ?? 0;
  const span = localTime === null ? null : localSpan({ localTime, ttlSeconds, acceptedAt }, where);
  const [starts, ends] = span === null ? [null, null] : [span.starts, span.ends];
  const from = Math.max(Number(starts), now.getTime());
  const due = leavesAt(quietHours, where, from);
  const own = { zone, starts, ends };
  if (due <= now.getTime()) return { ...own, due: null, waitsFor: null, isLate: false };
  const life = span ?? { starts: acceptedAt, ends: expiresAt };
  const isLate = due >= lastCallAt(life.starts.getTime(), life.ends.getTime());
  return { ...own, due: new Date(due), waitsFor: causeOf(due, from), isLate };
}

function leavesAt(quietHours: QuietHours | null, where: string, from: number): number {
  return quietHours === null ? from : (quietUntil(quietHours, where, from) ?? from);
}

function causeOf(due: number, from: number): ZonePlan['waitsFor'] {
  return due > from ? 'quiet_hours' : 'local_time';
}
