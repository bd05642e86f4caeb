import { joined, literal, sql, type Sql } from '../sql';

/**
 * Spans of one level: each has `length` numbers of installations. The spans are numbered from `first`, below the first
 * one of the next level.
 */
interface SpanLevel {
  /** The length as a power of two. */
  bits: number;
  first: number;
  next: number;
}

/**
 * Installations are numbered one after the other, so no number comes near 2^53, the limit of exact integers in
 * JavaScript.
 */
const SPANS_OF_LEVEL = 2 ** 48;

/**
 * Spans of 1,024 numbers of installations, and longer ones: if an application has few of a server's devices, their
 * numbers are far apart.
 */
export const SPAN_LEVELS: readonly SpanLevel[] = [10, 16, 22, 28].map((bits, level) => ({
  bits,
  first: level * SPANS_OF_LEVEL,
  next: (level + 1) * SPANS_OF_LEVEL,
}));

/** The shorter span is used if its packs have this many devices on average. */
const WORTH_A_PACK = 32;
/** A pack is always read as a whole. */
const MOST_IN_PACK = 1_000;

/** Devices that go into one pack: their span, and their places among those that were given. */
interface SpanGroup {
  span: number;
  from: number;
  /** Not among them any more. */
  to: number;
}

/** SQL for the numbers of all spans that contain a device, one of each level: an array. */
export function spansOf(device: Sql): Sql {
  const spans = SPAN_LEVELS.map(({ bits, first }) => sql`(${device} >> ${literal(bits)}) + ${literal(first)}`);
  return sql`ARRAY[${joined(spans, ', ')}]`;
}

/** Groups devices by their spans: the shortest spans of which a pack is worth one. @param deviceIds their numbers, in order */
export function groupBySpan(deviceIds: readonly number[]): SpanGroup[] {
  const most = 1 + deviceIds.length / WORTH_A_PACK;
  let groups: SpanGroup[] = [];
  for (const level of SPAN_LEVELS) {
    groups = groupsOfLevel(deviceIds, level);
    if (groups.length <= most) break;
  }
  return groups;
}

function groupsOfLevel(deviceIds: readonly number[], { bits, first }: SpanLevel): SpanGroup[] {
  const length = 2 ** bits;
  const groups: SpanGroup[] = [];
  let last: SpanGroup | undefined;
  for (const [place, deviceId] of deviceIds.entries()) {
    const span = first + Math.floor(deviceId / length);
    if (last?.span === span && place - last.from < MOST_IN_PACK) last.to = place + 1;
    else groups.push((last = { span, from: place, to: place + 1 }));
  }
  return groups;
}
