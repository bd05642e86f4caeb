import { normaliseName, normaliseText } from '@postrider/domain';
import { readName, type Reading } from '../validation/values';
import { BodyReader } from '../fields/body-reader';

const MOST = 200;
const DEFAULT = 50;

/** The query of `GET /api/users`. */
export interface ListUsersRequest {
  /** What the ids begin with; '' for all. */
  prefix: string;
  /** '' for the first page. */
  afterId: string;
  limit: number;
}

/** @throws InvalidRequest naming every bad parameter */
export function readListUsers(query: unknown): ListUsersRequest {
  const fields = new BodyReader(query ?? {});
  const request = {
    prefix: fields.optional('prefix', readPrefix) ?? '',
    afterId: fields.optional('cursor', readNameCursor) ?? '',
    limit: fields.integer('limit', 1, MOST) ?? DEFAULT,
  };
  fields.finish();
  return request;
}

function readPrefix(value: unknown): Reading<string> {
  return value === '' ? { value } : readName(typeof value === 'string' ? (normaliseText(value) ?? '') : value);
}

/** Reads a cursor whose place is a name. */
function readNameCursor(value: unknown): Reading<string> {
  const name = typeof value === 'string' ? normaliseName(Buffer.from(value, 'base64url').toString('utf8')) : null;
  return name === null ? { problem: 'must be the nextCursor of an earlier answer' } : { value: name };
}
