import { joined, type Parameter, parameter, sql, type Sql } from '@postrider/persistence';
import type { Place } from '../language/rule';

/** The sphere that `nearBy` measures on. */
const EARTH_RADIUS_METRES = 6_371_000;

/** A point on the edge is inside; this margin covers floating-point errors. */
const EDGE_METRES = 1e-6;

/** The box around a circle is wider by this margin, so that floating-point errors exclude no point of the circle. */
const BOX_MARGIN_DEGREES = 1e-6;

const RADIANS = Math.PI / 180;

/** More than any difference of longitudes, and a power of two, so that scaling loses nothing. */
const SHIFT_DEGREES = 512;

/** Between two longitudes. Two ranges if the circle crosses the antimeridian, none if it contains a pole. */
type Range = readonly [from: number, to: number];

/**
 * Compiles `nearBy` in its positive form: never NULL, false for a device without a location. The index on locations
 * finds the box around the circle, and the great-circle distance (haversine) decides.
 */
export function compilePlace(place: Place): Sql {
  const angle = (place.radiusMetres + EDGE_METRES) / EARTH_RADIUS_METRES;
  const terms = [sql`i.latitude IS NOT NULL`, sql`i.longitude IS NOT NULL`];
  if (angle >= Math.PI) return sql`(${joined(terms, ' AND ')})`;

  const number = (value: number): Parameter => parameter(value, 'float8');
  const [south, north] = latitudesAround(place, angle);
  terms.push(sql`i.latitude BETWEEN ${number(south)} AND ${number(north)}`);
  const ranges = longitudesAround(place, angle).map(
    ([from, to]) => sql`i.longitude BETWEEN ${number(from)} AND ${number(to)}`,
  );
  if (ranges.length > 0) terms.push(sql`(${joined(ranges, ' OR ')})`);

  const [lat, lng] = [number(place.lat), number(place.lng)];
  terms.push(
    sql`power(sin(${scaled(sql`i.latitude - ${lat}`, RADIANS / 2)}), 2) + ${number(Math.cos(place.lat * RADIANS))}
      * cos(${scaled(sql`i.latitude`, RADIANS)}) * power(sin(${scaled(sql`i.longitude - ${lng}`, RADIANS / 2)}), 2)
      <= ${number(Math.sin(angle / 2) ** 2)}`,
  );
  return sql`(${joined(terms, ' AND ')})`;
}

/**
 * An angle in degrees times `factor`. PostgreSQL fails a whole statement if one product is too small for a double, and
 * a device may send 1e-320 degrees. So the product is computed far from zero, which moves no point by more than 0.02
 * micrometres.
 */
function scaled(degrees: Sql, factor: number): Sql {
  return sql`(${degrees} + ${SHIFT_DEGREES}::float8) * ${factor}::float8 - ${SHIFT_DEGREES * factor}::float8`;
}

function latitudesAround(place: Place, angle: number): Range {
  const reach = angle / RADIANS + BOX_MARGIN_DEGREES;
  return [Math.max(place.lat - reach, -90), Math.min(place.lat + reach, 90)];
}

function longitudesAround(place: Place, angle: number): Range[] {
  const [south, north] = latitudesAround(place, angle);
  if (south <= -90 || north >= 90) return [];
  const ratio = Math.sin(angle) / Math.cos(place.lat * RADIANS);
  if (ratio >= 1) return [];
  const reach = Math.asin(ratio) / RADIANS + BOX_MARGIN_DEGREES;
  const [west, east] = [place.lng - reach, place.lng + reach];
  if (west < -180)
    return [
      [west + 360, 180],
      [-180, east],
    ];
  if (east > 180)
    return [
      [west, 180],
      [-180, east - 360],
    ];
  return [[west, east]];
}
