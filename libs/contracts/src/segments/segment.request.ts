import { type Channel, type JsonObject, parseChannel } from '@postrider/domain';
import { isJsonObject } from '../fields/field-reader';
import type { Problems } from '../fields/problems';
import type { Reading } from '../validation/values';
import { BodyReader } from '../fields/body-reader';
import { readCursor } from '../reading/cursor';
import { readSegmentGroup } from './rule-group';

const MOST = 200;
const DEFAULT = 50;
const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i;

/** Rules as they were written, for the segment language to judge. */
export interface RulesRequest {
  target?: JsonObject;
  segment?: JsonObject;
}

/** What was read so far, and what is wrong with it; the segment language adds its own. */
export type UnjudgedRequest<Request> = { request: Request; problems: Problems };

/** The body of `POST /api/segments` and `PUT /api/segments/:id`. */
export interface SegmentRequest {
  name: string;
  rules: RulesRequest;
}

/** A group whose devices are to be counted, explained or exported. */
export interface GroupRequest {
  rules: RulesRequest;
  channel: Channel;
  /** Whether its users are counted as well. */
  countsUsers: boolean;
  /** Whose devices are to be explained one by one. */
  userId: string | null;
  installationId: string | null;
}

/** The query of `GET /api/segments`. */
export interface ListSegmentsRequest {
  beforeId: string | null;
  limit: number;
}

/** Reads a segment that is to be kept. Never throws. */
export function readSegmentRequest(body: unknown): UnjudgedRequest<SegmentRequest> {
  const fields = new BodyReader(body);
  return { request: { name: fields.requiredName('name'), rules: readRules(fields) }, problems: fields.problems };
}

/** Reads a group that is only asked about. Never throws. */
export function readGroupRequest(body: unknown): UnjudgedRequest<GroupRequest> {
  const fields = new BodyReader(body);
  const request: GroupRequest = {
    rules: readRules(fields),
    channel: fields.optional('channel', readChannel) ?? 'public/default',
    countsUsers: fields.boolean('users') ?? false,
    userId: fields.name('userId'),
    installationId: fields.name('installationId'),
  };
  if (request.userId !== null && request.installationId !== null) {
    fields.reject('installationId', 'must not stand beside userId');
  }
  return { request, problems: fields.problems };
}

/** @throws InvalidRequest naming every bad parameter */
export function readListSegments(query: unknown): ListSegmentsRequest {
  const fields = new BodyReader(query ?? {});
  const request = {
    beforeId: fields.optional('cursor', (value) => readCursor(value, UUID)),
    limit: fields.integer('limit', 1, MOST) ?? DEFAULT,
  };
  fields.finish();
  return request;
}

function readRules(fields: BodyReader): RulesRequest {
  const target = fields.optional('target', readTarget);
  const segment = fields.optional('segment', readSegmentGroup);
  if (fields.raw('target') === undefined && fields.raw('segment') === undefined) {
    fields.reject('target', 'is required, or segment');
  }
  return { ...(target ? { target } : {}), ...(segment ? { segment } : {}) };
}

function readTarget(value: unknown): Reading<JsonObject> {
  return isJsonObject(value) ? { value } : { problem: 'must be an object' };
}

function readChannel(value: unknown): Reading<Channel> {
  const channel = typeof value === 'string' ? parseChannel(value) : null;
  return channel === null
    ? { problem: 'must be 1 to 128 letters, digits, _ - . behind public/ or private/' }
    : { value: channel };
}
