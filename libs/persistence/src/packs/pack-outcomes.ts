import type { DeviceId } from '@postrider/domain';
import { newId } from '@postrider/platform';
import { bigintArray, byteaArray } from '../database/binary-array';
import type { RecordedDeliveries } from '../deliveries/record-deliveries';
import { type Parameter, sql, type Sql } from '../sql';
import { encodeDetails } from './pack-details';
import { groupBySpan } from './span';

/** Outcomes of a page: those that need a row each, and those that are packed. */
interface DividedOutcomes {
  rows: RecordedDeliveries;
  packed: RecordedDeliveries;
}

/** The columns that a pack holds for each delivery. The rest is the same for all of its deliveries. */
const SAID_BY_PACKS: ReadonlySet<string> = new Set<keyof RecordedDeliveries>([
  ...(['deviceIds', 'states', 'vendorMessageIds', 'times', 'languages'] as const),
]);

/**
 * Divides the outcomes of a page that is tried for the first time. A device that was sent to and has nothing else to
 * record is packed. If a column that packs do not have has a value, the outcome gets a row, so that nothing is lost.
 *
 * @param ownRows devices that have a row, or need one in any case
 */
export function divideOutcomes(outcomes: RecordedDeliveries, ownRows: ReadonlySet<DeviceId>): DividedOutcomes {
  const { deviceIds, states } = outcomes;
  const others = columnsOf(outcomes).filter(([name]) => !SAID_BY_PACKS.has(name));
  const hasMore = (place: number): boolean => others.some(([, column]) => (column[place] ?? null) !== null);
  const isPacked = deviceIds.map((id, place) => states[place] === 'sent' && !ownRows.has(id) && !hasMore(place));
  // In most cases all are packed: this saves two copies of each column.
  if (isPacked.every(Boolean)) return { rows: some(outcomes, () => false), packed: outcomes };
  return { rows: some(outcomes, (place) => !isPacked[place]), packed: some(outcomes, (place) => isPacked[place]) };
}

/** The outcomes without those of some devices. */
export function withoutDevices(outcomes: RecordedDeliveries, left: ReadonlySet<DeviceId>): RecordedDeliveries {
  return left.size === 0 ? outcomes : some(outcomes, (place) => !left.has(outcomes.deviceIds[place] as DeviceId));
}

function some(outcomes: RecordedDeliveries, isTaken: (place: number) => boolean | undefined): RecordedDeliveries {
  const picked = columnsOf(outcomes).map(([name, column]): [string, unknown[]] => [
    name,
    column.filter((_, place) => isTaken(place)),
  ]);
  return Object.fromEntries(picked) as unknown as RecordedDeliveries;
}

function columnsOf(outcomes: RecordedDeliveries): [string, unknown[]][] {
  const columns = Object.entries<unknown[] | undefined>({ ...outcomes });
  return columns.flatMap(([name, column]) => (column === undefined ? [] : [[name, column]]));
}

/** A pack that is to be written. */
interface NewPack {
  id: string;
  span: number;
  /** The numbers of its devices, in order. */
  deviceIds: number[];
  details: Buffer;
  /** Null: the default. */
  language: string | null;
}

/** Packs of these outcomes, all sent. What few values stand for, and all deliveries of a pack have in common, divides them (`alike`). */
export function packsOf(outcomes: RecordedDeliveries): NewPack[] {
  return alike(outcomes).flatMap(({ places, language }) => packsOfAlike(outcomes, places, language));
}

/** The numbers of the devices of all packs, one pack after the other, as an array in binary. */
export function deviceIdsOf(packs: readonly NewPack[]): Buffer {
  return bigintArray(packs.flatMap(({ deviceIds }) => deviceIds));
}

/**
 * Packs as a FROM item, a row each: `id`, `span`, `device_ids`, `count`, `details`, `language`. In binary: PostgreSQL takes longer to read
 * numbers as text than to write the pack.
 *
 * @param deviceIds `deviceIdsOf` the packs
 */
export function packRows(packs: readonly NewPack[], deviceIds: Parameter): Sql {
  const counts = packs.map((pack) => pack.deviceIds.length);
  let until = 0;
  const ends = counts.map((count) => (until += count));
  return sql`(
    SELECT p.id, p.span, (${deviceIds})[p.until - p.count + 1 : p.until] AS device_ids, p.count, p.details, p.language
    FROM unnest(${packs.map(({ id }) => id)}::uuid[], ${packs.map(({ span }) => span)}::bigint[], ${ends}::integer[],
      ${counts}::integer[], ${byteaArray(packs.map(({ details }) => details))}::bytea[],
      ${packs.map(({ language }) => language)}::text[]) AS p (id, span, until, count, details, language)
  )`;
}

/** The places of outcomes that may be in one pack, and what these have in common beside their message and vendor. */
interface AlikeOutcomes {
  places: number[];
  language: string | null;
}

function alike({ deviceIds, languages }: RecordedDeliveries): AlikeOutcomes[] {
  if (languages === undefined) return [{ places: [...deviceIds.keys()], language: null }];
  const groups = new Map<string | null, AlikeOutcomes>();
  for (const place of deviceIds.keys()) {
    const language = languages[place] ?? null;
    const group = groups.get(language);
    if (group === undefined) groups.set(language, { places: [place], language });
    else group.places.push(place);
  }
  return [...groups.values()];
}

function packsOfAlike(outcomes: RecordedDeliveries, places: number[], language: string | null): NewPack[] {
  const { times, vendorMessageIds } = outcomes;
  const numbers = outcomes.deviceIds.map(Number);
  const ordered = places.sort((one, other) => (numbers[one] as number) - (numbers[other] as number));
  const deviceIds = ordered.map((place) => numbers[place] as number);
  return groupBySpan(deviceIds).map(({ span, from, to }) => ({
    id: newId(),
    span,
    deviceIds: deviceIds.slice(from, to),
    details: encodeDetails(
      ordered
        .slice(from, to)
        .map((place) => ({ sentAt: times[place] as number, vendorMessageId: vendorMessageIds[place] ?? null })),
    ),
    language,
  }));
}
