import type { SendToGroupRequest, SendToUserRequest, SendToUsersRequest } from '../api/generated/document';
import { contentOf, type MessageBody } from './message-content';
import { type MessageDraft, readTypedUsers } from './message-draft';
import { writeSegment } from './write-segment';

type Recipients = { users: string[] } | { user: string } | { segment: NonNullable<SendToGroupRequest['segment']> };

/** One request that sends a draft, or a part of it. */
export type SendRequest = (
  | { path: '/api/push/toUsers'; body: SendToUsersRequest | SendToUserRequest }
  | { path: '/api/push/byQuery'; body: SendToGroupRequest }
  | { path: '/api/push/notifyUsers'; body: SendToUsersRequest | SendToUserRequest | SendToGroupRequest }
) & {
  /** The same for the same draft: pressing twice sends once. */
  idempotencyKey: string;
};

/** A request may hold a mebibyte of JSON (the gateway's `MAX_BODY_BYTES`); this leaves room for what stands around the ids. */
const MOST_ID_BYTES = 900_000;

/**
 * The requests that send a draft: one, or, for a file of so many user ids that one request cannot hold them, several that
 * share a client id. The draft has no problems.
 *
 * @param fileUsers the user ids that were read from the chosen file
 */
export function requestsOf(draft: MessageDraft, fileUsers: readonly string[] = []): SendRequest[] {
  const content = contentOf(draft);
  const parts = recipientsOf(draft, fileUsers);
  const [first] = parts;
  if (parts.length === 1 && first) return [requestOf(draft, first, content, draft.draftId)];
  return parts.map((recipients, index) =>
    requestOf(draft, recipients, { clientId: draft.draftId, ...content }, `${draft.draftId}-${index + 1}`),
  );
}

function requestOf(
  { reach }: MessageDraft,
  recipients: Recipients,
  content: MessageBody,
  idempotencyKey: string,
): SendRequest {
  if (reach === 'vendor') return { path: '/api/push/notifyUsers', body: { ...recipients, ...content }, idempotencyKey };
  return 'segment' in recipients
    ? { path: '/api/push/byQuery', body: { ...recipients, ...content }, idempotencyKey }
    : { path: '/api/push/toUsers', body: { ...recipients, ...content }, idempotencyKey };
}

/** A test of a draft: to these users only, at once, and never by SMS. */
export function testRequestOf(draft: MessageDraft, users: readonly string[], key: string): SendRequest {
  const content = contentOf({
    ...draft,
    audience: { ...draft.audience, kind: 'users' },
    fallback: { ...draft.fallback, isOn: false },
    schedule: { kind: 'now', at: '' },
    rate: '',
    trackId: '',
    clientId: '',
    channel: '',
    ignoreQuietHours: true,
  });
  return requestOf(draft, { users: [...users] }, { ...content, isTest: true }, key);
}

function recipientsOf({ audience }: MessageDraft, fileUsers: readonly string[]): Recipients[] {
  switch (audience.kind) {
    case 'segment':
      return [{ segment: writeSegment(audience.segment).segment ?? {} }];
    case 'saved':
      return [{ segment: { id: audience.segmentId } }];
    case 'everyone':
      return [{ user: '*' }];
    case 'users':
      return inParts(readTypedUsers(audience.users));
    case 'file':
      return inParts(fileUsers);
  }
}

function inParts(users: readonly string[]): Recipients[] {
  const encoder = new TextEncoder();
  const parts: string[][] = [[]];
  let bytes = 0;
  for (const user of users) {
    const size = encoder.encode(JSON.stringify(user)).length + 1;
    if (bytes + size > MOST_ID_BYTES) {
      parts.push([]);
      bytes = 0;
    }
    bytes += size;
    parts.at(-1)?.push(user);
  }
  return parts.map((part) => ({ users: part }));
}
