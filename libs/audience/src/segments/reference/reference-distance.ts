type Point = { lat: number; lng: number };

function unitVector({ lat, lng }: Point): [number, number, number] {
  const [phi, lambda] = [(lat * Math.PI) / 180, (lng * Math.PI) / 180];
  return [Math.cos(phi) * Math.cos(lambda), Math.cos(phi) * Math.sin(lambda), Math.sin(phi)];
}

/** Metres along the great circle, on a sphere of 6,371 km, by the angle between two vectors. */
export function greatCircleMetres(one: Point, other: Point): number {
  const [a, b] = [unitVector(one), unitVector(other)];
  const cross = [a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]];
  const dot = a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
  return 6_371_000 * Math.atan2(Math.hypot(...cross), dot);
}
