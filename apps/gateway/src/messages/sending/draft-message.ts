import {
  type AudienceMeasure,
  type AudienceSelection,
  listTimeZones,
  localSpan,
  type MessageSchedule,
  type NewMessage,
  splitOf,
} from '@postrider/audience';
import type { ValidatedSend } from '@postrider/contracts';
import {
  DAY_MS,
  DomainError,
  type ErrorDetail,
  type ExpectedCount,
  firstTimeZone,
  InvalidRequest,
  isAsExpected,
  isTimeZone,
  keepsQuietHours,
  MAX_SCHEDULE_DAYS,
  type MessageKind,
  momentOf,
  MOST_DETAILS,
  type QuietHours,
  quietUntil,
  reachOf,
  SCHEDULE_SLACK_MS,
  UNSTEERED,
} from '@postrider/domain';
import type { ApplicationsRepository, Database } from '@postrider/persistence';
import { newId } from '@postrider/platform';

/** The time zone in which every local time comes last. */
const LAST_ZONE = 'Etc/GMT+12';

/** When one message begins, and its steering. */
export interface ScheduledSend {
  /** When the first and the last device may get it, as far as that is known now. */
  firstAt: Date;
  lastAt: Date;
  /** Left out: at once, and as fast as possible. */
  schedule?: MessageSchedule;
}

/** @throws InvalidRequest if a `sendAt` has passed, or is too far ahead */
export function checkSchedules(messages: readonly ValidatedSend[], now: Date): void {
  const problems = messages.flatMap((message) => problemsOf(message, now));
  if (problems.length > 0) throw new InvalidRequest(problems);
}

/** Returns when each message of a request begins. A message whose time has passed begins now. */
export async function scheduleSends(
  database: Database,
  applications: ApplicationsRepository,
  messages: readonly ValidatedSend[],
  appId: string,
  now: Date,
): Promise<ScheduledSend[]> {
  const zones = messages.some(({ steering }) => steering.localTime) ? await zonesOf(database, applications, appId) : [];
  return messages.map((message) => scheduleSend(message, zones, now));
}

function problemsOf({ steering: { sendAt, localTime }, path }: ValidatedSend, now: Date): ErrorDetail[] {
  if (sendAt === undefined) return [];
  const moment = localTime ? momentOf(sendAt.getTime(), LAST_ZONE) : sendAt.getTime();
  const field = path === '' ? 'sendAt' : `${path}.sendAt`;
  if (moment < now.getTime() - SCHEDULE_SLACK_MS) {
    return [{ path: field, message: localTime ? 'has passed in every time zone' : 'is in the past' }];
  }
  const isTooFar = moment > now.getTime() + MAX_SCHEDULE_DAYS * DAY_MS;
  return isTooFar ? [{ path: field, message: `must be at most ${MAX_SCHEDULE_DAYS} days ahead` }] : [];
}

/** Returns every time zone that a device of the application may be in. */
async function zonesOf(database: Database, applications: ApplicationsRepository, appId: string): Promise<string[]> {
  const application = await applications.find(database, appId);
  const zones = (await listTimeZones(database, appId)).filter(isTimeZone);
  return [firstTimeZone(application?.defaultTimeZone), ...zones];
}

function scheduleSend({ steering, ttlSeconds }: ValidatedSend, zones: readonly string[], now: Date): ScheduledSend {
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

/** A message that is about to be accepted, and its audience. */
export interface MessageDraft {
  message: NewMessage;
  selection: AudienceSelection;
  /** The size of its audience, once it was counted. */
  measure?: AudienceMeasure;
  /** Its place in the request: `` or `[3]`. */
  path: string;
  /** The number of devices that its sender expects. */
  expected?: ExpectedCount;
}

/** The facts that all messages of one request share. */
export interface DraftOrigin {
  appId: string;
  kind: MessageKind;
  acceptedAt: Date;
  batchId?: string;
  /** The quiet hours of the application; needed for messages that name users. */
  quietHours?: QuietHours | null;
}

/**
 * Turns a validated message into a draft for the ledger, with an id, a lane, a reach and an expiry. The id of a
 * scheduled message is made for the moment at which it is sent, and decides its day in the ledger.
 */
export function draftMessage(request: ValidatedSend, origin: DraftOrigin, sending: ScheduledSend): MessageDraft {
  const { appId, kind, acceptedAt, batchId } = origin;
  const { recipients, content, channel, ttlSeconds, path, expected } = request;
  const id = newId(sending.firstAt);
  return {
    path,
    ...(expected === undefined ? {} : { expected }),
    message: {
      id,
      kind,
      isCampaign: recipients.kind !== 'users',
      lane: recipients.kind === 'users' ? 'transactional' : 'campaign',
      content,
      ...(content.trackId === undefined ? {} : { trackId: content.trackId }),
      ...(content.clientId === undefined ? {} : { clientId: content.clientId }),
      ...(batchId === undefined ? {} : { batchId }),
      acceptedAt,
      expiresAt: new Date(sending.lastAt.getTime() + ttlSeconds * 1_000),
      ...(sending.schedule === undefined ? {} : { schedule: sending.schedule }),
      mayBeQuiet: mayBeQuiet(request, origin),
    },
    selection: {
      appId,
      acceptedAt,
      channel,
      who: recipients,
      reach: reachOf(kind, content),
      split: splitOf(content, id),
    },
  };
}

/**
 * True if a device of the named users may be in quiet hours now, as far as that is known without the devices. `live`
 * keeps no quiet hours.
 */
function mayBeQuiet(
  { recipients, content, steering }: ValidatedSend,
  { kind, acceptedAt, quietHours = null }: DraftOrigin,
): boolean {
  if (quietHours === null || recipients.kind !== 'users' || steering.ignoreQuietHours) return false;
  if (!keepsQuietHours(quietHours, 'transactional') || reachOf(kind, content) === 'live') return false;
  const { timeZone } = quietHours;
  return timeZone === 'device' || quietUntil(quietHours, timeZone, acceptedAt.getTime()) !== null;
}

/**
 * Compares the audiences of messages with the numbers of devices that their sender expects.
 *
 * @param counted the number of devices of each draft, in the same order
 * @throws DomainError AUDIENCE_CHANGED that names every message whose audience differs, with the count of the first
 */
export function checkExpectedCounts(drafts: readonly MessageDraft[], counted: readonly { count: number }[]): void {
  const changed = drafts.flatMap(({ path, expected }, index) => {
    const { count } = counted[index] as { count: number };
    return expected === undefined || isAsExpected(count, expected) ? [] : [{ path, expected, count }];
  });
  const [first] = changed;
  if (first === undefined) return;
  const details = changed.slice(0, MOST_DETAILS).map(({ path, expected, count }) => ({
    path: path === '' ? 'expectedCount' : `${path}.expectedCount`,
    message: `is ${expected.count}, and the message would go to ${count} devices`,
  }));
  const message = 'The audience is not the expected one; nothing was sent';
  throw new DomainError('AUDIENCE_CHANGED', message, { details, count: first.count });
}
