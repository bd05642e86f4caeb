import { BodyReader } from '../fields/body-reader';
import { readCursor } from './cursor';

const MOST = 200;
const DEFAULT = 50;
const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i;

/** The query of `GET /api/push/messages` and `/campaigns`; null: no matter which. */
export interface ListMessagesRequest {
  trackId: string | null;
  clientId: string | null;
  userId: string | null;
  batchId: string | null;
  beforeId: string | null;
  limit: number;
}

/** @throws InvalidRequest naming every bad parameter */
export function readListMessages(query: unknown): ListMessagesRequest {
  const fields = new BodyReader(query ?? {});
  const request = {
    trackId: fields.name('trackId'),
    clientId: fields.name('clientId'),
    userId: fields.name('userId'),
    batchId: fields.optional<string>('batchId', (value) =>
      typeof value === 'string' && UUID.test(value) ? { value } : { problem: 'must be the id of a batch' },
    ),
    beforeId: fields.optional('cursor', (value) => readCursor(value, UUID)),
    limit: fields.integer('limit', 1, MOST) ?? DEFAULT,
  };
  fields.finish();
  return request;
}
