import { InvalidRequest } from '@postrider/domain';

const DAY_MS = 86_400_000;
const LONGEST_MS = 2 * DAY_MS;

/** What `GET /api/push/overview` asks. */
export interface OverviewRequest {
  /** From when on sends are added up. */
  since: Date;
}

/** Reads the query of `GET /api/push/overview`: without `since`, from the last midnight (UTC) on. @throws InvalidRequest */
export function readOverview(query: unknown, now: Date): OverviewRequest {
  const asked = (query as { since?: unknown } | null)?.since;
  if (asked === undefined || asked === '') return { since: new Date(Math.floor(now.getTime() / DAY_MS) * DAY_MS) };
  const since = typeof asked === 'string' ? Date.parse(asked) : Number.NaN;
  const age = now.getTime() - since;
  if (!(age >= 0 && age <= LONGEST_MS)) {
    throw new InvalidRequest([{ path: 'since', message: 'must be a moment (ISO 8601) of the last 48 hours' }]);
  }
  // To the minute, so that readers of one place share what is counted.
  return { since: new Date(Math.floor(since / 60_000) * 60_000) };
}
