import { BodyReader } from '../fields/body-reader';
import { readCursor } from '../reading/cursor';

const MOST = 100;
const DEFAULT = 20;
const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i;

/** The query of `GET installations/:id/inbox`. */
export interface InboxRequest {
  beforeId: string | null;
  limit: number;
}

/** @throws InvalidRequest naming every bad parameter */
export function readInboxRequest(query: unknown): InboxRequest {
  const fields = new BodyReader(query ?? {});
  const request = {
    beforeId: fields.optional('cursor', (value) => readCursor(value, UUID)),
    limit: fields.integer('limit', 1, MOST) ?? DEFAULT,
  };
  fields.text('userHash', 1_024);
  fields.finish();
  return request;
}
