const EARTH_RADIUS_METRES = 6_371_000;
const RADIANS = Math.PI / 180;

/** A point in degrees. */
export interface Point {
  lat: number;
  lng: number;
}

/** The great-circle distance of two points on the sphere of `nearBy` (haversine). */
export function greatCircleMetres(one: Point, other: Point): number {
  const [lat, otherLat] = [one.lat * RADIANS, other.lat * RADIANS];
  const chord =
    Math.sin((otherLat - lat) / 2) ** 2 +
    Math.cos(lat) * Math.cos(otherLat) * Math.sin(((other.lng - one.lng) * RADIANS) / 2) ** 2;
  return 2 * EARTH_RADIUS_METRES * Math.asin(Math.min(1, Math.sqrt(chord)));
}
