import type { DeviceId } from '@postrider/domain';
import { joined, literal, sql, type Sql } from '../sql';

/** Spans of one level: `length` numbers of installations each. Numbers of spans from `first` on, below that of the next level. */
interface SpanLevel {
  /** The length as a power of two. */
  bits: number;
  first: number;
  next: number;
}

/** Installations are numbered one after the other: no number comes near 2^53, which is as far as JavaScript counts. */
const SPANS_OF_LEVEL = 2 ** 48;

/**
 * Spans of 1,024 numbers of installations, and longer ones: the devices of an application that has few of a server's devices lie far
 * apart.
 */
export const SPAN_LEVELS: readonly SpanLevel[] = [10, 16, 22, 28].map((bits, level) => ({
  bits,
  first: level * SPANS_OF_LEVEL,
  next: (level + 1) * SPANS_OF_LEVEL,
}));

/** Packs of so many devices, on average, are worth a shorter span. */
const WORTH_A_PACK = 32;
/** A pack is read as a whole. */
const MOST_IN_PACK = 1_000;

/** Devices that go into one pack. */
export interface SpanGroup {
  span: number;
  deviceIds: DeviceId[];
}

/** The order of two devices by their numbers. */
export function byNumber(one: DeviceId, other: DeviceId): number {
  return Number(one) - Number(other);
}

/** SQL for the numbers of all spans in which a device is, one of each level: an array. */
export function spansOf(device: Sql): Sql {
  const spans = SPAN_LEVELS.map(({ bits, first }) => sql`(${device} >> ${literal(bits)}) + ${literal(first)}`);
  return sql`ARRAY[${joined(spans, ', ')}]`;
}

/** Groups devices by their spans: the shortest spans of which a pack is worth one. @param deviceIds in their order */
export function groupBySpan(deviceIds: readonly DeviceId[]): SpanGroup[] {
  const most = 1 + deviceIds.length / WORTH_A_PACK;
  let groups: SpanGroup[] = [];
  for (const level of SPAN_LEVELS) {
    groups = groupsOfLevel(deviceIds, level);
    if (groups.length <= most) break;
  }
  return groups;
}

function groupsOfLevel(deviceIds: readonly DeviceId[], { bits, first }: SpanLevel): SpanGroup[] {
  const groups: SpanGroup[] = [];
  for (const deviceId of deviceIds) {
    const span = first + Math.floor(Number(deviceId) / 2 ** bits);
    const last = groups.at(-1);
    if (last?.span === span && last.deviceIds.length < MOST_IN_PACK) last.deviceIds.push(deviceId);
    else groups.push({ span, deviceIds: [deviceId] });
  }
  return groups;
}
