import type { DeviceId } from '@postrider/domain';
import { newId } from '@postrider/platform';
import type { RecordedDeliveries } from '../deliveries/record-deliveries';
import { sql, type Sql } from '../sql';
import { encodeDetails } from './pack-details';
import { byNumber, groupBySpan } from './span';

/** Outcomes of a page: those that need a row each, and those that are packed. */
export interface DividedOutcomes {
  rows: RecordedDeliveries;
  packed: RecordedDeliveries;
}

/** The columns that a pack holds for each delivery. The rest is the same for all of its deliveries. */
const SAID_BY_PACKS: ReadonlySet<string> = new Set<keyof RecordedDeliveries>([
  ...(['deviceIds', 'states', 'ranks', 'vendorMessageIds', 'times', 'languages'] as const),
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

/** Names and types of the columns of `packsOf`. */
const COLUMNS = sql`id uuid, span bigint, device_ids bigint[], count integer, details text, language text`;

/**
 * Packs of these outcomes, all sent, as the rows of a FROM item: the columns of `delivery_packs`, with `details` as
 * base 64. Outcomes are divided by the values that all deliveries of a pack share (`commonOf`).
 */
export function packsOf(outcomes: RecordedDeliveries): Sql {
  const packs = alike(outcomes).flatMap((places) => packsOfAlike(outcomes, places));
  return sql`json_to_recordset(${JSON.stringify(packs)}::json) AS pack (${COLUMNS})`;
}

/**
 * What all deliveries of a pack share with this one, beside their message and vendor, by the columns of
 * `delivery_packs`.
 */
function commonOf({ languages }: RecordedDeliveries, place: number): { language?: string } {
  const language = languages?.[place] ?? null;
  return language === null ? {} : { language };
}

/** The places of the outcomes, grouped by what may be in one pack. */
function alike(outcomes: RecordedDeliveries): number[][] {
  const all = [...outcomes.deviceIds.keys()];
  if (outcomes.languages === undefined) return [all];
  const groups = new Map<string, number[]>();
  for (const place of all) {
    const key = JSON.stringify(commonOf(outcomes, place));
    const group = groups.get(key);
    if (group === undefined) groups.set(key, [place]);
    else group.push(place);
  }
  return [...groups.values()];
}

function packsOfAlike(outcomes: RecordedDeliveries, alikePlaces: readonly number[]): object[] {
  const { deviceIds, times, vendorMessageIds } = outcomes;
  const places = new Map(alikePlaces.map((place) => [deviceIds[place] as DeviceId, place]));
  const ordered = [...places.keys()].sort(byNumber);
  return groupBySpan(ordered).map((group) => {
    const details = group.deviceIds.map((id) => {
      const place = places.get(id) as number;
      return { sentAt: times[place] as number, vendorMessageId: vendorMessageIds[place] ?? null };
    });
    return {
      id: newId(),
      span: group.span,
      device_ids: group.deviceIds,
      count: group.deviceIds.length,
      details: encodeDetails(details).toString('base64'),
      ...commonOf(outcomes, alikePlaces[0] as number),
    };
  });
}
