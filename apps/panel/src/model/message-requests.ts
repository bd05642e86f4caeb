import { contentOf, type MessageBody } from './message-content';
import { isCampaign, type MessageDraft, readTypedUsers } from './message-draft';
import { writeSegment } from './write-segment';

/** One request that sends a draft, or a part of it. */
export interface SendRequest {
  path: 'push/toUsers' | 'push/byQuery' | 'push/notifyUsers';
  body: MessageBody;
  /** The same for the same draft: pressing twice sends once. */
  idempotencyKey: string;
}

/** A request may hold a mebibyte of JSON (the gateway's `MAX_BODY_BYTES`); this leaves room for what stands around the ids. */
const MOST_ID_BYTES = 900_000;

/**
 * The requests that send a draft: one, or, for a file of so many user ids that one request cannot hold them, several that
 * share a client id. The draft has no problems.
 *
 * @param fileUsers the user ids that were read from the chosen file
 */
export function requestsOf(draft: MessageDraft, fileUsers: readonly string[] = []): SendRequest[] {
  const path = draft.reach === 'vendor' ? 'push/notifyUsers' : isCampaign(draft) ? 'push/byQuery' : 'push/toUsers';
  const content = contentOf(draft);
  const parts = recipientsOf(draft, fileUsers);
  const [first] = parts;
  if (parts.length === 1 && first) return [{ path, body: { ...first, ...content }, idempotencyKey: draft.draftId }];
  return parts.map((recipients, index) => ({
    path,
    body: { ...recipients, clientId: draft.draftId, ...content },
    idempotencyKey: `${draft.draftId}-${index + 1}`,
  }));
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
  return {
    path: draft.reach === 'vendor' ? 'push/notifyUsers' : 'push/toUsers',
    body: { users: [...users], ...content, isTest: true },
    idempotencyKey: key,
  };
}

function recipientsOf({ audience }: MessageDraft, fileUsers: readonly string[]): MessageBody[] {
  switch (audience.kind) {
    case 'segment':
      return [{ segment: writeSegment(audience.segment).segment }];
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

function inParts(users: readonly string[]): MessageBody[] {
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
