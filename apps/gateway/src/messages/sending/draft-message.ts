import type { SendRequest } from '@postrider/contracts';
import type { AudienceMeasure, AudienceSelection, NewMessage } from '@postrider/audience';
import { type MessageKind, reachOf } from '@postrider/domain';
import { newId } from '@postrider/platform';
import type { ScheduledSend } from './schedule-sends';

/** One message that is about to be accepted, and whom it is for. */
export interface MessageDraft {
  message: NewMessage;
  selection: AudienceSelection;
  /** How large its audience is, once that was counted. */
  measure?: AudienceMeasure;
  /** Where it stands in the request: `` or `[3]`. */
  path: string;
}

/** What all messages of one request share. */
export interface DraftOrigin {
  appId: string;
  kind: MessageKind;
  acceptedAt: Date;
  batchId?: string;
}

/**
 * Turns a validated message into what the ledger takes: its id, lane, reach and expiry. The id of a scheduled one is of the
 * moment at which it is sent, and so is the day of the ledger that holds it.
 */
export function draftMessage(request: SendRequest, origin: DraftOrigin, sending: ScheduledSend): MessageDraft {
  const { appId, kind, acceptedAt, batchId } = origin;
  const { recipients, content, channel, ttlSeconds, path } = request;
  return {
    path,
    message: {
      id: newId(sending.firstAt),
      kind,
      isCampaign: recipients.kind === 'rules',
      lane: recipients.kind === 'users' ? 'transactional' : 'campaign',
      content,
      ...(content.trackId === undefined ? {} : { trackId: content.trackId }),
      ...(content.clientId === undefined ? {} : { clientId: content.clientId }),
      ...(batchId === undefined ? {} : { batchId }),
      acceptedAt,
      expiresAt: new Date(sending.lastAt.getTime() + ttlSeconds * 1_000),
      ...(sending.schedule === undefined ? {} : { schedule: sending.schedule }),
    },
    selection: { appId, acceptedAt, channel, who: recipients, reach: reachOf(kind, content) },
  };
}
