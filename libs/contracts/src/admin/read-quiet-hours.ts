import { isTimeZone, minuteOfDay, type QuietHours } from '@postrider/domain';
import { isJsonObject } from '../fields/field-reader';
import type { Reading } from '../validation/values';
import { BodyReader } from '../fields/body-reader';

const APPLIES = ['campaigns', 'all'] as const;
const FIELDS = new Set(['start', 'end', 'timeZone', 'applies']);

/** Reads an application's quiet hours; what is wrong is noted under `quietHours`. */
export function readQuietHours(fields: BodyReader): QuietHours | null {
  const raw = fields.raw('quietHours');
  if (raw === undefined) return null;
  const hours = new BodyReader(raw, 'quietHours', fields.problems);
  if (!isJsonObject(raw)) return null;
  hours.require('start', 'end');
  const start = hours.optional('start', readClockTime);
  const end = hours.optional('end', readClockTime);
  const timeZone = hours.optional('timeZone', readWhoseClock);
  const applies = hours.oneOf('applies', APPLIES);
  for (const name of hours.names()) if (!FIELDS.has(name)) hours.reject(name, 'is not known');
  if (start === null || end === null) return null;
  if (start === end) hours.reject('end', 'must not be the same as start');
  return { start, end, timeZone: timeZone ?? 'device', applies: applies ?? 'campaigns' };
}

function readWhoseClock(value: unknown): Reading<string> {
  return value === 'device' ? { value } : readTimeZone(value);
}

/** The name of a time zone. */
export function readTimeZone(value: unknown): Reading<string> {
  if (typeof value === 'string' && isTimeZone(value)) return { value };
  return { problem: 'must be a time zone (IANA), such as Europe/Berlin' };
}

function readClockTime(value: unknown): Reading<string> {
  if (typeof value === 'string' && minuteOfDay(value) !== null) return { value };
  return { problem: 'must be a time of day, hh:mm' };
}
