import type { JsonValue } from '@postrider/domain';
import { readDecimal } from './decimal';
import { isJsonObject } from './json-object';
import type { Problems } from './problems';
import type { Place } from './rule';

const SHAPE = 'must be { "lat", "lng", "radius" } or [lat, lng, radius], the radius in metres';

/** Reads the value of `nearBy`. Null when it was bad, which is noted then. */
export function readPlace(value: unknown, path: string, problems: Problems): Place | null {
  let parts: { value: unknown; path: string }[];
  if (Array.isArray(value)) {
    if (value.length !== 3) return problems.add(path, SHAPE);
    parts = (value as unknown[]).map((part, index) => ({ value: part, path: `${path}[${index}]` }));
  } else if (isJsonObject(value)) {
    refuseUnknownKeys(value, path, problems);
    parts = ['lat', 'lng', 'radius'].map((key) => ({ value: value[key], path: `${path}.${key}` }));
  } else {
    return problems.add(path, SHAPE);
  }
  const lat = readBetween(-90, 90, parts[0], problems);
  const lng = readBetween(-180, 180, parts[1], problems);
  const radiusMetres = readBetween(0, Number.MAX_VALUE, parts[2], problems);
  if (lat === null || lng === null || radiusMetres === null) return null;
  return { lat, lng, radiusMetres };
}

function refuseUnknownKeys(value: Record<string, JsonValue>, path: string, problems: Problems): void {
  for (const key of Object.keys(value)) {
    if (!['lat', 'lng', 'radius'].includes(key)) problems.add(`${path}.${key}`, 'is not known here: lat, lng, radius');
  }
}

function readBetween(
  lowest: number,
  highest: number,
  part: { value: unknown; path: string } | undefined,
  problems: Problems,
): number | null {
  const number = readDecimal(part?.value);
  if (number !== null && number >= lowest && number <= highest) return number;
  const limits = highest === Number.MAX_VALUE ? `of at least ${lowest}` : `from ${lowest} to ${highest}`;
  return problems.add(part?.path ?? '', `must be a number ${limits}`);
}
