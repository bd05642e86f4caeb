import {
  dangerousScheme,
  DAY_MS,
  MAX_CHANNEL_NAME_LENGTH,
  MAX_SCHEDULE_DAYS,
  normaliseName,
  parseChannel,
  USUAL_MAX_USERS,
} from '@postrider/domain';
import { FallbackRequest, NotificationRequest, SendToGroupRequest, SendToUsersRequest } from '../api/generated/limits';
import { LOCALE } from './locale';
import { languageFieldOf, languageProblems } from './message-languages';
import { testFieldOf, testProblems } from './variant-problems';
import { integerProblem, isJson, isWithin, PLACED_FIELDS, readFurtherFields } from './message-body';
import { notificationOf } from './message-requests';
import {
  hasTest,
  holdsOut,
  isCampaign,
  type MessageDraft,
  namesUsers,
  readTypedUsers,
  scheduleKindOf,
  type ScheduleKind,
  takesRate,
  TTL_SECONDS,
} from './message-draft';
import { writeSegment } from './write-segment';
import type { ErrorDetail } from '../api/api-error';

/** The problems of a draft, by the name of the field on the page. */
export type FieldProblems = Record<string, string>;

const LED_COLOR = new RegExp(NotificationRequest.ledColor.pattern);
const LONGEST_LIFE_DAYS = SendToUsersRequest.ttl.maximum / TTL_SECONDS.days;
const MOST_DELAY = FallbackRequest.delay.maximum.toLocaleString(LOCALE);

/**
 * Returns what a draft still lacks, in words for its author; the API decides in the end.
 * @param fileUsers the ids of the chosen file; null: none was read
 */
export function problemsOf(draft: MessageDraft, fileUsers: readonly string[] | null, now: Date): FieldProblems {
  const found: Record<string, string | undefined> = {
    ...audienceProblems(draft, fileUsers),
    ...textProblems(draft),
    ...linkProblems(draft),
    ...timeProblems(draft, now),
    holdout: holdoutProblem(draft),
    ...fallbackProblems(draft),
    ...variableProblems(draft),
    ...languageProblems(draft),
    ...testProblems(draft),
  };
  return Object.fromEntries(Object.entries(found).filter((entry): entry is [string, string] => entry[1] !== undefined));
}

function audienceProblems(
  { audience, channel }: MessageDraft,
  fileUsers: readonly string[] | null,
): Record<string, string | undefined> {
  const isBadChannel = channel !== '' && parseChannel(channel) === null;
  return {
    audience: {
      segment: () => segmentProblem(audience.segment),
      saved: () => (audience.segmentId === '' ? 'Choose a saved segment' : undefined),
      users: () => usersProblem(readTypedUsers(audience.users)),
      file: () => (fileUsers === null ? 'Choose a file of user ids' : undefined),
      everyone: () => undefined,
    }[audience.kind](),
    channel: isBadChannel ? `A channel name has 1 to ${MAX_CHANNEL_NAME_LENGTH} letters, digits, _, - or .` : undefined,
  };
}

function segmentProblem(segment: MessageDraft['audience']['segment']): string | undefined {
  if (segment.members.length === 0) return 'Add a rule, so that the message is not sent to everyone by accident';
  return writeSegment(segment).segment === null ? 'Finish the rules that are marked' : undefined;
}

function usersProblem(users: readonly string[]): string | undefined {
  if (users.length === 0) return 'Name at least one user';
  if (users.length > USUAL_MAX_USERS) return `At most ${USUAL_MAX_USERS.toLocaleString(LOCALE)} users`;
  if (users.includes('*')) return '* means everyone: choose “Everyone”';
  const bad = users.find((user) => normaliseName(user) === null);
  return bad === undefined ? undefined : `“${bad.slice(0, 40)}…” is too long for a user id`;
}

function textProblems(draft: MessageDraft): Record<string, string | undefined> {
  const { content, title, silent, contentAvailable, data, more, ledColor, clientId } = draft;
  const isWakeUp = silent && contentAvailable;
  const needsTitle = !silent && title === '' && notificationOf(draft) !== undefined;
  const isColor = ledColor === '' || LED_COLOR.test(ledColor.trim());
  return {
    content: problem(content !== '' || isWakeUp || saysAll(draft), 'Enter the text of the message'),
    title: problem(!needsTitle, 'A notification with links, buttons, a picture or the options below needs a title'),
    data: problem(isJson(data), 'This is not JSON yet') ?? integerProblem(data),
    more: furtherProblem(more),
    ledColor: problem(isColor, 'A colour like #FF8800'),
    trackId: trackIdProblem(draft),
    clientId: problem(isId(clientId), `At most ${SendToUsersRequest.clientId.maxLength} characters`),
  };
}

/** True if every user gets a variant with a text of its own. */
function saysAll(draft: MessageDraft): boolean {
  return hasTest(draft) && draft.variants.every((variant) => variant.content !== '');
}

function problem(isGood: boolean, text: string): string | undefined {
  return isGood ? undefined : text;
}

/** A value with a field of its own belongs there: two different ones would send something else than the page shows. */
function furtherProblem(more: string): string | undefined {
  const further = readFurtherFields(more);
  if (further === null) return 'Enter an object as JSON, such as {"colour": "red"}';
  const changed = integerProblem(more);
  if (changed !== undefined) return changed;
  const { notification, ...others } = further;
  const ofNotification = typeof notification === 'object' && notification !== null ? Object.keys(notification) : [];
  const placed =
    Object.keys(others).find((name) => PLACED_FIELDS.message.has(name)) ??
    ofNotification.find((name) => PLACED_FIELDS.notification.has(name));
  return placed === undefined ? undefined : `“${placed}” has a field of its own on this page`;
}

function isId(text: string): boolean {
  return text === '' || normaliseName(text) !== null;
}

function variableProblems({ variables }: MessageDraft): Record<string, string | undefined> {
  const found = variables.map(({ name, value, isRequired, isJson: isRead = false }) => {
    const isMissing = isRequired && value.trim() === '';
    return [`variables.${name}`, isMissing ? 'The template needs a value' : isRead ? integerProblem(value) : undefined];
  });
  return Object.fromEntries(found) as Record<string, string | undefined>;
}

function linkProblems(draft: MessageDraft): Record<string, string | undefined> {
  const variants = hasTest(draft) ? draft.variants : [];
  const problems: Record<string, string | undefined> = { clickUrl: linkProblem(draft.clickUrl) };
  for (const { key, clickUrl } of variants) problems[`variant.${key}.clickUrl`] = linkProblem(clickUrl);
  for (const { key, title, url } of [draft, ...variants].flatMap(({ actions }) => actions)) {
    problems[`action.${key}.title`] = title.trim() === '' ? 'Enter the text of the button' : undefined;
    problems[`action.${key}.url`] = linkProblem(url);
  }
  return problems;
}

/** Returns the problem of a link: only schemes that would run or read something on the device are refused. */
export function linkProblem(link: string): string | undefined {
  const scheme = dangerousScheme(link);
  return scheme === null ? undefined : `Links with ${scheme}: are not allowed`;
}

function timeProblems(draft: MessageDraft, now: Date): Record<string, string | undefined> {
  const { ttl, rate } = draft;
  const seconds = Number(ttl.amount) * TTL_SECONDS[ttl.unit];
  const isLife = ttl.amount.trim() === '' || isWithin(seconds, SendToUsersRequest.ttl);
  const isRate =
    rate.trim() === '' ||
    !takesRate(draft) ||
    (Number.isInteger(Number(rate)) && isWithin(Number(rate), SendToUsersRequest.rate));
  return {
    ttl: isLife ? undefined : `A message is valid for at most ${LONGEST_LIFE_DAYS} days`,
    schedule: scheduleProblem(scheduleKindOf(draft), draft.schedule.at, now),
    rate: isRate ? undefined : 'Enter a whole number of devices per second',
  };
}

function scheduleProblem(kind: ScheduleKind, at: string, now: Date): string | undefined {
  if (kind === 'now') return undefined;
  const moment = Date.parse(at);
  if (Number.isNaN(moment)) return 'Choose a day and a time';
  if (moment > now.getTime() + MAX_SCHEDULE_DAYS * DAY_MS) return `At most ${MAX_SCHEDULE_DAYS} days ahead`;
  return kind === 'at' && moment < now.getTime() ? 'This time is in the past' : undefined;
}

function holdoutProblem(draft: MessageDraft): string | undefined {
  if (!holdsOut(draft)) return undefined;
  const percent = Number(draft.holdout);
  if (!Number.isInteger(percent) || !isWithin(percent, SendToGroupRequest.holdout)) {
    return `Enter a whole number up to ${SendToGroupRequest.holdout.maximum}`;
  }
  return undefined;
}

function trackIdProblem(draft: MessageDraft): string | undefined {
  // Without one each send holds out other users, and reaches another number of devices than its review shows.
  if (holdsOut(draft) && draft.trackId.trim() === '')
    return 'Enter a track id: by it the same users are held out each time';
  return problem(isId(draft.trackId), `At most ${SendToUsersRequest.trackId.maxLength} characters`);
}

function fallbackProblems(draft: MessageDraft): Record<string, string | undefined> {
  const { isOn, content, delay } = draft.fallback;
  if (!isOn || !namesUsers(draft) || isCampaign(draft)) return {};
  const seconds = Number(delay);
  const isDelay = delay.trim() !== '' && Number.isInteger(seconds) && isWithin(seconds, FallbackRequest.delay);
  return {
    'fallback.content': content === '' ? 'Enter the text of the SMS' : undefined,
    'fallback.delay': isDelay ? undefined : `Enter whole seconds, at most ${MOST_DELAY}`,
  };
}

/** The API's problems with a draft, at the fields of the page; problems without a field are in `others`. */
interface PlacedProblems {
  fields: FieldProblems;
  others: string[];
}

const FIELDS: Record<string, string> = {
  'notification.body': 'content',
  'notification.title': 'title',
  'notification.clickUrl': 'clickUrl',
  'notification.mediaUrl': 'mediaUrl',
  'notification.mediaType': 'mediaType',
  'notification.ledColor': 'ledColor',
  'notification.sound': 'sound',
  'notification.icon': 'icon',
  'notification.smallIcon': 'smallIcon',
  'notification.category': 'category',
  'notification.groupId': 'groupId',
  'fallback.content': 'fallback.content',
  'fallback.delay': 'fallback.delay',
  sendAt: 'schedule',
  templateId: 'template',
  templateVersion: 'template',
  localTime: 'schedule',
};

const SAME_NAME = new Set(['content', 'alertText', 'trackId', 'clientId', 'ttl', 'rate', 'channel', 'data', 'holdout']);
const AUDIENCE = new Set(['user', 'users', 'segment', 'target']);
const ACTION = /^notification\.actions\[(\d+)\](?:\.(\w+))?/;

/** Places the API's problems at the fields that a person filled in. */
export function placeProblems(draft: MessageDraft, details: readonly ErrorDetail[]): PlacedProblems {
  const placed: PlacedProblems = { fields: {}, others: [] };
  for (const { path, message } of details) {
    const field = fieldOf(draft, path) ?? languageFieldOf(draft, path) ?? testFieldOf(draft, path);
    if (field === undefined) placed.others.push(`${path === '' ? 'The message' : path} ${message}`);
    else placed.fields[field] ??= sentence(message);
  }
  return placed;
}

function fieldOf(draft: MessageDraft, path: string): string | undefined {
  const [, index, part] = ACTION.exec(path) ?? [];
  if (index !== undefined) {
    const action = draft.actions[Number(index)];
    return action && `action.${action.key}.${part === 'url' || part === 'title' ? part : 'more'}`;
  }
  const top = /^[^.[]+/.exec(path)?.[0] ?? '';
  if (AUDIENCE.has(top)) return 'audience';
  if (SAME_NAME.has(top)) return top;
  return FIELDS[path];
}

/** Returns `must be a number` as shown under a field: `Must be a number`. */
function sentence(message: string): string {
  return message.charAt(0).toUpperCase() + message.slice(1);
}
