import type { JsonObject } from '../json';

/** What a device can say about a message. */
export type ReceiptKind = 'DELIVERED' | 'SHOWN' | 'OPENED' | 'DISMISSED' | 'ACTION_TAKEN';

/** A message, or what is known of it. */
export interface ReportedMessage {
  id: string;
  trackId?: string | null;
}

/** Something to report. `userId`: whose it is; of another user it is not taken. */
export interface Report extends JsonObject {
  key: string;
  userId: string;
  event: JsonObject;
}

/** A receipt. Said twice it is the same. */
export function receiptReport(
  userId: string,
  kind: ReceiptKind,
  { id, trackId = null }: ReportedMessage,
  actionId: string | null,
  now: number,
): Report {
  return {
    key: `${kind} ${id} ${actionId ?? ''}`,
    userId,
    event: {
      type: 1,
      actionType: kind,
      msgId: id,
      ...(trackId === null ? {} : { trackId }),
      ...(actionId === null ? {} : { actionId }),
      actionTs: now,
    },
  };
}
