import { type Executor, rows } from '../database/executor';
import type { MessageKey } from '../messages/message-key';

/** How one limit stands. */
export interface StoredPace {
  /** From when on the next page may be given a turn. */
  nextAt: Date;
  /** Until when what passed keeps the next page back. */
  passedUntil: Date;
}

/** How the limits of a message and of its application stand; locked until the transaction ends. */
export interface LockedPaces {
  message: StoredPace;
  application: StoredPace;
  /** How many campaigns of the application are being sent, this one included. */
  sends: number;
}

/** Stands for the application as a whole. */
const NIL = '00000000-0000-0000-0000-000000000000';

/** A campaign that moved within this time is being sent. */
const ACTIVE = `interval '2 seconds'`;

/**
 * Locks the paces of a message and, when it is limited, of its application, made when they are new. In the order of their
 * keys, so that nobody waits in a circle.
 */
export async function lockPaces(
  executor: Executor,
  { appId, messageId }: MessageKey,
  now: Date,
  isApplicationLimited: boolean,
): Promise<LockedPaces> {
  const ids = isApplicationLimited ? [NIL, messageId] : [messageId];
  const locked = await rows<StoredPace & { id: string; sends: number }>(executor, LOCK_PACES, [
    appId,
    ids,
    now,
    messageId,
    isApplicationLimited,
  ]);
  const paceOf = (id: string): StoredPace => {
    const { nextAt, passedUntil } = locked.find((pace) => pace.id === id) ?? { nextAt: now, passedUntil: now };
    return { nextAt, passedUntil };
  };
  return {
    message: paceOf(messageId),
    application: paceOf(NIL),
    sends: 1 + (locked[0]?.sends ?? 0),
  };
}

const LOCK_PACES = `
  INSERT INTO paces AS p (app_id, message_id, next_at, passed_until)
  SELECT $1, id, $3, $3 FROM unnest($2::uuid[]) AS id ORDER BY id
  ON CONFLICT (app_id, message_id) DO UPDATE SET next_at = p.next_at
  RETURNING message_id AS id, next_at AS "nextAt", passed_until AS "passedUntil", CASE WHEN $5::boolean THEN (
    SELECT count(*) FROM paces other
    JOIN messages m ON m.app_id = $1 AND m.id = other.message_id AND m.lane = 'campaign' AND m.status = 'accepted'
    WHERE other.app_id = $1 AND other.next_at > $3::timestamptz - ${ACTIVE} AND other.message_id <> $4
  )::integer ELSE 0 END AS sends`;

/** How the limits stand from now on. */
export async function savePaces(
  executor: Executor,
  { appId, messageId }: MessageKey,
  { message, application }: { message: StoredPace; application: StoredPace | null },
): Promise<void> {
  await rows(
    executor,
    `UPDATE paces SET next_at = CASE message_id WHEN $2 THEN $3::timestamptz ELSE coalesce($5, next_at) END,
       passed_until = CASE message_id WHEN $2 THEN $4::timestamptz ELSE coalesce($6, passed_until) END
     WHERE app_id = $1 AND message_id IN ($2, '${NIL}')`,
    [appId, messageId, message.nextAt, message.passedUntil, application?.nextAt, application?.passedUntil],
  );
}
