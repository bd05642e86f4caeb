import { BodyReader } from '../fields/body-reader';

/** The query of `POST /api/installations/bulk/tags`. */
export interface BulkTagsRequest {
  /** What a line does that does not say so itself. */
  operation: 'add' | 'remove';
}

/** @throws InvalidRequest naming every bad parameter */
export function readBulkTags(query: unknown): BulkTagsRequest {
  const fields = new BodyReader(query ?? {});
  const request = { operation: fields.oneOf('operation', ['add', 'remove']) ?? 'add' };
  fields.finish();
  return request;
}
