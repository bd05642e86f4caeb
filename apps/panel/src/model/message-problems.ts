import {
  dangerousScheme,
  DAY_MS,
  MAX_CHANNEL_NAME_LENGTH,
  MAX_SCHEDULE_DAYS,
  normaliseName,
  parseChannel,
  USUAL_MAX_USERS,
} from '@postrider/domain';
import { FallbackRequest, NotificationRequest, SendToUsersRequest } from '../api/generated/limits';
import { notificationOf } from './message-content';
import {
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

/** What is wrong with a draft, by the name of its field on the page. */
export type FieldProblems = Record<string, string>;

const LED_COLOR = new RegExp(NotificationRequest.ledColor.pattern);
const LONGEST_LIFE_DAYS = SendToUsersRequest.ttl.maximum / TTL_SECONDS.days;
const MOST_DELAY = FallbackRequest.delay.maximum.toLocaleString('en');

/**
 * What a draft still lacks, in words for who writes it; the API has the last word.
 *
 * @param fileUsers the ids of the chosen file; null: none was read
 */
export function problemsOf(draft: MessageDraft, fileUsers: readonly string[] | null, now: Date): FieldProblems {
  const found: Record<string, string | undefined> = {
    ...audienceProblems(draft, fileUsers),
    ...textProblems(draft),
    ...linkProblems(draft),
    ...timeProblems(draft, now),
    ...fallbackProblems(draft),
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
    channel: isBadChannel
      ? `A channel has 1 to ${MAX_CHANNEL_NAME_LENGTH} letters, digits, _ - or . in its name`
      : undefined,
  };
}

function segmentProblem(segment: MessageDraft['audience']['segment']): string | undefined {
  if (segment.members.length === 0) return 'Add a rule, so that the message does not go to everybody by accident';
  return writeSegment(segment).segment === null ? 'Finish the rules that are marked' : undefined;
}

function usersProblem(users: readonly string[]): string | undefined {
  if (users.length === 0) return 'Name at least one user';
  if (users.length > USUAL_MAX_USERS) return `At most ${USUAL_MAX_USERS.toLocaleString('en')} users`;
  if (users.includes('*')) return '* stands for everybody: choose “Everyone on a channel”';
  const bad = users.find((user) => normaliseName(user) === null);
  return bad === undefined ? undefined : `“${bad.slice(0, 40)}…” is too long for a user id`;
}

function textProblems(draft: MessageDraft): Record<string, string | undefined> {
  const { content, title, silent, contentAvailable, data, ledColor, trackId, clientId } = draft;
  const isWakeUp = silent && contentAvailable;
  const needsTitle = !silent && title === '' && notificationOf(draft) !== undefined;
  const isColor = ledColor === '' || LED_COLOR.test(ledColor.trim());
  return {
    content: problem(content !== '' || isWakeUp, 'Write what the message says'),
    title: problem(!needsTitle, 'A notification with links, buttons, a picture or the options below needs a title'),
    data: problem(isJson(data), 'This is not JSON yet'),
    ledColor: problem(isColor, 'A colour like #FF8800'),
    trackId: problem(isId(trackId), `At most ${SendToUsersRequest.trackId.maxLength} characters`),
    clientId: problem(isId(clientId), `At most ${SendToUsersRequest.clientId.maxLength} characters`),
  };
}

function problem(isGood: boolean, text: string): string | undefined {
  return isGood ? undefined : text;
}

function isId(text: string): boolean {
  return text === '' || normaliseName(text) !== null;
}

function linkProblems(draft: MessageDraft): Record<string, string | undefined> {
  const problems: Record<string, string | undefined> = { clickUrl: linkProblem(draft.clickUrl) };
  for (const { key, title, url } of draft.actions) {
    problems[`action.${key}.title`] = title.trim() === '' ? 'Give the button a text' : undefined;
    problems[`action.${key}.url`] = linkProblem(url);
  }
  return problems;
}

/** What is wrong with a link: nothing but the schemes that would run or read something on the device. */
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
    ttl: isLife ? undefined : `A message lives at most ${LONGEST_LIFE_DAYS} days`,
    schedule: scheduleProblem(scheduleKindOf(draft), draft.schedule.at, now),
    rate: isRate ? undefined : 'A whole number of devices a second',
  };
}

function scheduleProblem(kind: ScheduleKind, at: string, now: Date): string | undefined {
  if (kind === 'now') return undefined;
  const moment = Date.parse(at);
  if (Number.isNaN(moment)) return 'Choose a day and a time';
  if (moment > now.getTime() + MAX_SCHEDULE_DAYS * DAY_MS) return `At most ${MAX_SCHEDULE_DAYS} days ahead`;
  return kind === 'at' && moment < now.getTime() ? 'This time is over' : undefined;
}

function isWithin(number: number, { minimum, maximum }: { minimum: number; maximum: number }): boolean {
  return number >= minimum && number <= maximum;
}

function fallbackProblems(draft: MessageDraft): Record<string, string | undefined> {
  const { isOn, content, delay } = draft.fallback;
  if (!isOn || !namesUsers(draft) || isCampaign(draft)) return {};
  const seconds = Number(delay);
  const isDelay = delay.trim() !== '' && Number.isInteger(seconds) && isWithin(seconds, FallbackRequest.delay);
  return {
    'fallback.content': content === '' ? 'Write what the SMS says' : undefined,
    'fallback.delay': isDelay ? undefined : `Whole seconds, at most ${MOST_DELAY}`,
  };
}

function isJson(text: string): boolean {
  if (text.trim() === '') return true;
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
}
