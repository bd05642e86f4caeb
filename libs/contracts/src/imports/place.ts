import { membersOf, textOf } from './import-draft';

/** What a place must be, for error messages. */
export const PLACE = 'must be a place: latitude and longitude such as 52.1,5.1, or JSON with lat and long';

/** `52.1,5.1`, also in parentheses (as PostgreSQL writes a point), or the same as JSON. Null for anything else. */
export function placeOf(value: unknown): { lat: number; lng: number } | null {
  const { lat: north, lng: east, lon = east, long = lon } = membersOf(value);
  if (north !== undefined) return placeOf(`${textOf(north)},${textOf(long)}`);
  const pair = (textOf(value) ?? '').replace(/^\((.*)\)$/, '$1');
  const [lat, lng, ...more] = pair.split(',').map((part) => Number(part.trim() || NaN));
  if (lat === undefined || lng === undefined || more.length > 0) return null;
  return Math.abs(lat) <= 90 && Math.abs(lng) <= 180 ? { lat, lng } : null;
}
