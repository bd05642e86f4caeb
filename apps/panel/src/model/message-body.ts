import { changedIntegers, parseJsonObject } from '@postrider/domain';
import type {
  MessageContentResponse,
  NotificationActionResponse,
  SendToUsersRequest,
} from '@postrider/server/document';
import type { ActionDraft } from './message-draft';

/** The body of a message, without whom it goes to. */
export type MessageBody = Partial<Omit<MessageContentResponse, 'fallback'>> &
  Pick<SendToUsersRequest, 'channel' | 'ttl' | 'rate' | 'sendAt' | 'fallback'> & {
    localTime?: boolean;
    ignoreQuietHours?: boolean;
  };

/** A button as the API takes it. */
export function actionOf({ id, title, url, icon, options }: ActionDraft): NotificationActionResponse {
  return withoutEmpty({
    id: id.trim() || title.trim(),
    title,
    url: url.trim(),
    icon: icon.trim(),
    options: options || undefined,
  });
}

/** Names of the API's fields that have a place in a draft, or belong to one send only. */
export const PLACED_FIELDS = {
  message: new Set(
    [
      ['content', 'data', 'trackId', 'clientId', 'alertText', 'useAsAlert', 'silent', 'inApp', 'live', 'autoNotify'],
      ['notification', 'fallback', 'localized', 'holdout', 'variants', 'winner', 'trackLinks', 'variables', 'isTest'],
      ['user', 'users', 'segment', 'target', 'channel', 'ttl', 'sendAt', 'localTime', 'rate', 'ignoreQuietHours'],
      ['linkBase', 'templateId', 'templateVersion', 'extra', 'expectedCount', 'expectedCountTolerance'],
      ['draftId', 'draftRevision', 'dryRun', 'ignoreFrequencyCap', 'countsTowardsCap'],
    ].flat(),
  ),
  notification: new Set(
    [
      ['title', 'body', 'clickUrl', 'mediaUrl', 'mediaType', 'sound', 'icon', 'smallIcon', 'ledColor', 'category'],
      ['groupId', 'actions', 'contentAvailable', 'mutableContent', 'extra'],
    ].flat(),
  ),
} as const;

/**
 * Returns fields without a place in the form, as they were typed: a JSON object, or nothing; null while they are not an
 * object yet.
 */
export function readFurtherFields(text: string): Record<string, unknown> | null {
  return text.trim() === '' ? {} : parseJsonObject(text);
}

/** True for a number that a field of the API takes. */
export function isWithin(number: number, { minimum, maximum }: { minimum: number; maximum: number }): boolean {
  return number >= minimum && number <= maximum;
}

/** Says which integer of valid JSON a browser would send as another one; undefined: none, or it is no JSON. */
export function integerProblem(text: string): string | undefined {
  if (!isJson(text)) return undefined;
  // A number alone has no place, so it is looked at as a member.
  const [path] = changedIntegers(`{"":${text}}`);
  if (path === undefined) return undefined;
  const which = path === '' ? 'This number' : `The number at ${path}`;
  return `${which} has more digits than JSON keeps: put it in quotes`;
}

/** True if a text is JSON, or empty. */
export function isJson(text: string): boolean {
  if (text.trim() === '') return true;
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
}

/** Returns JSON in the form of a field; '' for a missing value. */
export function jsonOf(value: unknown): string {
  return value === undefined ? '' : JSON.stringify(value, null, 2);
}

/** Returns a value in the form of a field: text as it is, anything else as JSON. */
export function textOf(value: unknown): string {
  if (typeof value === 'string') return value;
  return value === undefined || value === null ? '' : JSON.stringify(value);
}

/** Leaves out '', false and undefined: a missing field means the same. */
export function withoutEmpty<Body extends object>(body: Body): Partial<Body> {
  const said = Object.entries(body).filter(([, value]) => value !== undefined && value !== '' && value !== false);
  return Object.fromEntries(said) as Partial<Body>;
}
