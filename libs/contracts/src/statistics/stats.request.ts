import { BodyReader } from '../fields/body-reader';
import { readCursor } from '../reading/cursor';

const INTERVALS = ['hour', 'day'] as const;
const FORMATS = ['json', 'csv'] as const;

/** Everything is counted by the hour (UTC): a part of one cannot be told. */
const HOUR_MS = 3_600_000;

/** The query of statistics: what time, cut how, written how. Null: from the beginning, until now. */
export interface StatsRequest {
  from: Date | null;
  to: Date | null;
  interval: (typeof INTERVALS)[number];
  format: (typeof FORMATS)[number] | null;
}

/** The query of one of the lists of statistics. */
export interface StatsListRequest {
  from: Date | null;
  to: Date | null;
  limit: number;
  offset: number;
}

const MOST = 1_000;
const DEFAULT = 200;
const PLACE = /^\d{1,9}$/;

/** @throws InvalidRequest naming every bad parameter */
export function readStats(query: unknown): StatsRequest {
  const fields = new BodyReader(query ?? {});
  const request: StatsRequest = {
    ...readSpan(fields),
    interval: fields.oneOf('interval', INTERVALS) ?? 'hour',
    format: fields.oneOf('format', FORMATS),
  };
  fields.finish();
  return request;
}

/** @throws InvalidRequest naming every bad parameter */
export function readStatsList(query: unknown): StatsListRequest {
  const fields = new BodyReader(query ?? {});
  const request: StatsListRequest = {
    ...readSpan(fields),
    limit: fields.integer('limit', 1, MOST) ?? DEFAULT,
    offset: Number(fields.optional('cursor', (value) => readCursor(value, PLACE)) ?? 0),
  };
  fields.finish();
  return request;
}

function readSpan(fields: BodyReader): { from: Date | null; to: Date | null } {
  const span = { from: fields.time('from'), to: fields.time('to') };
  for (const name of ['from', 'to'] as const) {
    const moment = span[name];
    if (moment !== null && moment.getTime() % HOUR_MS !== 0) fields.reject(name, 'must be a full hour in UTC');
  }
  if (span.from && span.to && span.from >= span.to) fields.reject('to', 'must be after from');
  return span;
}
