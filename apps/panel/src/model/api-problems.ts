import type { ErrorDetail } from '../api/api-error';
import type { FieldProblems } from './message-problems';
import type { MessageDraft } from './message-draft';

/** What the API has against a draft, at the fields of the page; what belongs to no field stands in `others`. */
export interface PlacedProblems {
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
  localTime: 'schedule',
};

const SAME_NAME = new Set(['content', 'alertText', 'trackId', 'clientId', 'ttl', 'rate', 'channel', 'data']);
const AUDIENCE = new Set(['user', 'users', 'segment', 'target']);
const ACTION = /^notification\.actions\[(\d+)\](?:\.(\w+))?/;

/** Puts what the API refused at the fields that a person filled in. */
export function placeProblems(draft: MessageDraft, details: readonly ErrorDetail[]): PlacedProblems {
  const placed: PlacedProblems = { fields: {}, others: [] };
  for (const { path, message } of details) {
    const field = fieldOf(draft, path);
    if (field === undefined) placed.others.push(path === '' ? message : `${path} ${message}`);
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

/** `must be a number` as it stands under a field: `Must be a number`. */
function sentence(message: string): string {
  return message.charAt(0).toUpperCase() + message.slice(1);
}
