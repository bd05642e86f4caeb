import { DAY_MS, InvalidRequest, midnightOf, MINUTE_MS } from '@postrider/domain';
import { fieldOf, Optional } from '../validation/field';
import type { Reading } from '../validation/reading';

const LONGEST_MS = 2 * DAY_MS;
const PROBLEM = 'must be a time (ISO 8601) of the last 48 hours';

/** The query of `GET /api/push/overview`. */
export class OverviewQuery {
  @Optional() @IsRecentMoment() since?: Date;
}

/** From when on sends are added up. Default: the last midnight (UTC). @throws InvalidRequest if that is too long ago */
export function overviewSince({ since }: OverviewQuery, now: Date): Date {
  if (since === undefined) return midnightOf(now);
  const age = now.getTime() - since.getTime();
  if (age < 0 || age > LONGEST_MS) throw new InvalidRequest([{ path: 'since', message: PROBLEM }]);
  // To the minute, so that readers at the same time share a count.
  return new Date(Math.floor(since.getTime() / MINUTE_MS) * MINUTE_MS);
}

function IsRecentMoment(): PropertyDecorator {
  return fieldOf({
    name: 'isRecentMoment',
    read: readMoment,
    schema: {
      type: 'string',
      format: 'date-time',
      description: 'a time in the last 48 hours; the default is the last midnight in UTC',
    },
  });
}

/** Empty text is absent. */
function readMoment(value: unknown): Reading<Date | undefined> {
  if (value === '') return { value: undefined };
  const moment = new Date(typeof value === 'string' ? Date.parse(value) : Number.NaN);
  return Number.isNaN(moment.getTime()) ? { problem: PROBLEM } : { value: moment };
}
