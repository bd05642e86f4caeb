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

/** What decides when a message that is being resolved is sent: its steering, and the settings of its application. */
export interface MessageTiming {
  lane: Lane;
  reach: Reach;
  /** When the message was accepted, and when it expires. */
  acceptedAt: Date;
  expiresAt: Date;
  /** Devices per second: the limit of the message, and that of its application. */
  rate: number | null;
  devicesPerSecond: number | null;
  localTime: Date | null;
  ttlSeconds: number | null;
  /** Null if there are none, or none that this message keeps. */
  quietHours: QuietHours | null;
  defaultTimeZone: string | null;
}

/** When the devices of one time zone are sent to. */
export interface ZonePlan {
  /** The name that devices report; the empty text stands for devices that report none, or one that does not exist. */
  zone: string;
  /** Null: now. */
  due: Date | null;
  /** What the devices wait for until `due`. */
  waitsFor: 'quiet_hours' | 'local_time' | null;
  /** From when to when the message may be sent there; null: as for the whole message. */
  starts: Date | null;
  ends: Date | null;
  /** True if the message would expire before it may be sent. */
  isLate: boolean;
}

/** Returns when the devices in each of `zones` are sent to; pure. `starts` and `ends` do not depend on `now`. */
export function planZones(timing: MessageTiming, zones: readonly string[], now: Date): ZonePlan[] {
  const known = needsZones(timing) ? zones.filter(isTimeZone) : [];
  const elsewhere = planZone(timing, '', firstTimeZone(timing.defaultTimeZone), now);
  return [elsewhere, ...known.map((zone) => planZone(timing, zone, zone, now))];
}

/** True if the time zone of a device matters. */
export function needsZones({ localTime, quietHours }: Pick<MessageTiming, 'localTime' | 'quietHours'>): boolean {
  return localTime !== null || quietHours?.timeZone === 'device';
}

/**
 * Returns when a message with a local time begins and ends in a time zone. If that time had passed there when the
 * message was accepted, it begins on the next day.
 */
export function localSpan(
  { localTime, ttlSeconds, acceptedAt }: { localTime: Date; ttlSeconds: number; acceptedAt: Date },
  zone: string,
): { starts: Date; ends: Date } {
  const starts = nextMomentOf(localTime.getTime(), zone, acceptedAt.getTime() - SCHEDULE_SLACK_MS);
  return { starts: new Date(starts), ends: new Date(starts + ttlSeconds * 1_000) };
}

function planZone(timing: MessageTiming, zone: string, where: string, now: Date): ZonePlan {
  const { localTime, acceptedAt, expiresAt, quietHours } = timing;
  const ttlSeconds = timing.ttlSeconds ?? 0;
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
