import { listTimeZones, localSpan, type MessageSchedule } from '@postrider/audience';
import type { SendRequest } from '@postrider/contracts';
import {
  DAY_MS,
  type ErrorDetail,
  firstTimeZone,
  InvalidRequest,
  isTimeZone,
  MAX_SCHEDULE_DAYS,
  momentOf,
  SCHEDULE_SLACK_MS,
  UNSTEERED,
} from '@postrider/domain';
import type { ApplicationsRepository, Database } from '@postrider/persistence';

/** Where it is a time of day last of all. */
const LAST_ZONE = 'Etc/GMT+12';

/** When one message begins, and how it is steered. */
export interface ScheduledSend {
  /** When the first and the last device may get it, as far as that is known now. */
  firstAt: Date;
  lastAt: Date;
  /** Left out: at once, as fast as can be. */
  schedule?: MessageSchedule;
}

/** @throws InvalidRequest when a `sendAt` is over, or too far ahead */
export function checkSchedules(messages: readonly SendRequest[], now: Date): void {
  const problems = messages.flatMap((message) => problemsOf(message, now));
  if (problems.length > 0) throw new InvalidRequest(problems);
}

/** Says of each message of a request when it begins. One whose time is over begins now. */
export async function scheduleSends(
  database: Database,
  applications: ApplicationsRepository,
  messages: readonly SendRequest[],
  appId: string,
  now: Date,
): Promise<ScheduledSend[]> {
  const zones = messages.some(({ steering }) => steering.localTime) ? await zonesOf(database, applications, appId) : [];
  return messages.map((message) => scheduleSend(message, zones, now));
}

function problemsOf({ steering: { sendAt, localTime }, path }: SendRequest, now: Date): ErrorDetail[] {
  if (sendAt === undefined) return [];
  const moment = localTime ? momentOf(sendAt.getTime(), LAST_ZONE) : sendAt.getTime();
  const field = path === '' ? 'sendAt' : `${path}.sendAt`;
  if (moment < now.getTime() - SCHEDULE_SLACK_MS) {
    return [{ path: field, message: localTime ? 'has passed in every time zone' : 'is in the past' }];
  }
  const isTooFar = moment > now.getTime() + MAX_SCHEDULE_DAYS * DAY_MS;
  return isTooFar ? [{ path: field, message: `must be at most ${MAX_SCHEDULE_DAYS} days ahead` }] : [];
}

/** Every time zone that a device of the application may be in. */
async function zonesOf(database: Database, applications: ApplicationsRepository, appId: string): Promise<string[]> {
  const application = await applications.find(database, appId);
  const zones = (await listTimeZones(database, appId)).filter(isTimeZone);
  return [firstTimeZone(application?.defaultTimeZone), ...zones];
}

function scheduleSend({ steering, ttlSeconds }: SendRequest, zones: readonly string[], now: Date): ScheduledSend {
  if (steering === UNSTEERED) return { firstAt: now, lastAt: now };
  const { rate, sendAt, localTime, ignoreQuietHours } = steering;
  const schedule: MessageSchedule = { ttlSeconds, ignoreQuietHours, ...(rate === undefined ? {} : { rate }) };
  if (sendAt === undefined) return { firstAt: now, lastAt: now, schedule };
  if (!localTime) {
    const at = sendAt > now ? sendAt : now;
    return { firstAt: at, lastAt: at, schedule: { ...schedule, sendAt: at } };
  }
  const span = { localTime: sendAt, ttlSeconds, acceptedAt: now };
  const starts = zones.map((zone) => localSpan(span, zone).starts.getTime());
  const firstAt = new Date(
    Math.max(
      now.getTime(),
      starts.reduce((one, other) => Math.min(one, other), Infinity),
    ),
  );
  const lastAt = new Date(Math.max(now.getTime(), ...starts));
  return { firstAt, lastAt, schedule: { ...schedule, sendAt: firstAt, localTime: sendAt } };
}
