import { deliveryStateRank } from '@postrider/domain';
import type { Executor } from '../database/executor';
import { preparedRows } from '../database/prepared-rows';

/** A delivery that was written to a connection. */
export interface Publish {
  appId: string;
  messageId: string;
  deviceId: string;
}

/** Records deliveries that no device acknowledges (QoS 0): sent, as far as anybody will ever know. */
export async function recordSentOnes(executor: Executor, publishes: readonly Publish[], now: Date): Promise<void> {
  await preparedRows(executor, RECORD_SENT, [...columns(publishes), now, deliveryStateRank('sent')]);
}

const RECORD_SENT = `
  UPDATE deliveries d
  SET state = 'sent', rank = $5, reason = NULL, edge_id = NULL, sent_at = $4, updated_at = $4
  FROM unnest($1::text[], $2::uuid[], $3::bigint[]) AS p (app_id, message_id, device_id)
  WHERE d.app_id = p.app_id AND d.message_id = p.message_id AND d.device_id = p.device_id
    AND d.message_id = ANY ($2::uuid[]) AND d.rank < $5`;

/** Takes deliveries that a vendor had too out of the inbox: the connection has acknowledged them as well. */
export async function takeOutOfInboxes(executor: Executor, publishes: readonly Publish[]): Promise<void> {
  await preparedRows(executor, TAKE_OUT, columns(publishes));
}

const TAKE_OUT = `
  UPDATE deliveries d SET in_inbox = NULL
  FROM unnest($1::text[], $2::uuid[], $3::bigint[]) AS p (app_id, message_id, device_id)
  WHERE d.app_id = p.app_id AND d.message_id = p.message_id AND d.device_id = p.device_id
    AND d.message_id = ANY ($2::uuid[])`;

/** Ends deliveries that can never be published to their device. */
export async function failPublishes(
  executor: Executor,
  publishes: readonly (Publish & { state: 'failed' | 'skipped'; errorCode: string; reason: string })[],
  now: Date,
): Promise<void> {
  await preparedRows(executor, FAIL, [
    ...columns(publishes),
    publishes.map(({ state }) => state),
    publishes.map(({ errorCode }) => errorCode),
    publishes.map(({ reason }) => reason),
    now,
  ]);
}

const FAIL = `
  UPDATE deliveries d
  SET state = p.state, rank = ${deliveryStateRank('failed')}, error_code = p.error_code, reason = p.reason, edge_id = NULL,
    updated_at = $7
  FROM unnest($1::text[], $2::uuid[], $3::bigint[], $4::text[], $5::text[], $6::text[])
    AS p (app_id, message_id, device_id, state, error_code, reason)
  WHERE d.app_id = p.app_id AND d.message_id = p.message_id AND d.device_id = p.device_id
    AND d.message_id = ANY ($2::uuid[]) AND d.state = 'pending'`;

function columns(publishes: readonly Publish[]): unknown[] {
  return [
    publishes.map(({ appId }) => appId),
    publishes.map(({ messageId }) => messageId),
    publishes.map(({ deviceId }) => deviceId),
  ];
}
