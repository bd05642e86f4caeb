import { FieldReader, isJsonObject } from '../fields/field-reader';
import { Problems } from '../fields/problems';
import { readMessage } from './read-message';
import { readRecipients } from './read-recipients';
import type { SendRequest } from './send.request';

const MAX_USERS = 20;

/** A message to look at, and the users to look at it for. */
export interface PreviewRequest {
  userIds: string[];
  message: Omit<SendRequest, 'recipients'>;
}

/**
 * Reads the body of `POST api/push/preview`: that of a send, with `users`, whoever it would go to. Never throws: what is wrong
 * stands in `problems`.
 */
export function readPreview(body: unknown): { preview: PreviewRequest | null; problems: Problems } {
  const problems = new Problems(body);
  if (!isJsonObject(body)) {
    problems.add('', 'must be a JSON object');
    return { preview: null, problems };
  }
  const ignored = ['target', 'segment', ...((body.users ?? undefined) === undefined ? [] : ['user'])];
  const message = Object.fromEntries(Object.entries(body).filter(([name]) => !ignored.includes(name)));
  const fields = new FieldReader(message, '', problems);
  if (!fields.has('users') && !fields.has('user')) fields.report('users', 'is required');
  const preview = { userIds: readUserIds(fields), message: readMessage(fields) };
  return { preview, problems };
}

function readUserIds(fields: FieldReader): string[] {
  if (!fields.has('users') && !fields.has('user')) return [];
  const recipients = readRecipients(fields, 'named', MAX_USERS);
  if (recipients.kind === 'users') return recipients.userIds;
  fields.report('user', 'must be a user id: a preview is for users with names');
  return [];
}
