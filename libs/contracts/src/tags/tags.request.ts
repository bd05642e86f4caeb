import { BodyReader } from '../fields/body-reader';
import { LONGEST_HASH } from '../installations/device-token.request';

/** How many tags one request may name, and one user may carry. */
export const MOST_TAGS = 1_000;

/** The body of `addTags` and `removeTags`. `installationId`, also in the query: the device that asks. */
export interface TagsRequest {
  userId: string;
  tags: string[];
  installationId: string | null;
}

/** The body of `addValueTag` and `removeValueTag`. */
export interface ValueTagRequest {
  userId: string;
  tag: string;
  value: string;
}

/** @throws InvalidRequest naming every bad field */
export function readTags(body: unknown, query: unknown = {}): TagsRequest {
  const fields = new BodyReader(body);
  const parameters = new BodyReader(query ?? {}, '', fields.problems);
  fields.require('tags');
  const tags = fields.nameList('tags', MOST_TAGS) ?? [];
  const sent = fields.raw('tags');
  if (Array.isArray(sent) && sent.length === 0) fields.reject('tags', 'must name at least one tag');
  const request = {
    userId: fields.requiredName('userId'),
    tags,
    installationId: fields.name('installationId') ?? parameters.name('installationId'),
  };
  fields.text('userHash', LONGEST_HASH);
  fields.finish();
  return request;
}

/** @throws InvalidRequest naming every bad field */
export function readValueTag(body: unknown): ValueTagRequest {
  const fields = new BodyReader(body);
  const request = {
    userId: fields.requiredName('userId'),
    tag: fields.requiredName('tag'),
    value: fields.requiredName('value'),
  };
  fields.finish();
  return request;
}

/** Reads `removeValueTag`; a `value` there says nothing. @throws InvalidRequest naming every bad field */
export function readTagOfUser(
  parameters: unknown,
  names = { userId: 'userId', tag: 'tag' },
): { userId: string; tag: string } {
  const fields = new BodyReader(parameters);
  const request = { userId: fields.requiredName(names.userId), tag: fields.requiredName(names.tag) };
  fields.finish();
  return request;
}

/** Reads the user of `GET installations/tags/:userId`. @throws InvalidRequest */
export function readUserOfPath(parameters: unknown): string {
  const fields = new BodyReader(parameters);
  const userId = fields.requiredName('userId');
  fields.finish();
  return userId;
}
