import { BodyReader } from '../fields/body-reader';

const INTERVALS = ['hour', 'day'] as const;
const FORMATS = ['json', 'csv'] as const;

/** The query of statistics: what time, cut how, written how. Null: from the beginning, until now. */
export interface StatsRequest {
  from: Date | null;
  to: Date | null;
  interval: (typeof INTERVALS)[number];
  format: (typeof FORMATS)[number] | null;
}

/** @throws InvalidRequest naming every bad parameter */
export function readStats(query: unknown): StatsRequest {
  const fields = new BodyReader(query ?? {});
  const request: StatsRequest = {
    from: fields.time('from'),
    to: fields.time('to'),
    interval: fields.oneOf('interval', INTERVALS) ?? 'hour',
    format: fields.oneOf('format', FORMATS),
  };
  if (request.from && request.to && request.from >= request.to) fields.reject('to', 'must be after from');
  fields.finish();
  return request;
}
