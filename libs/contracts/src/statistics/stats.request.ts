import { HOUR_MS } from '@postrider/domain';
import { Optional, Rule } from '../validation/field';
import { type AnswerFormat, IsAnswerFormat, IsOneOf, IsTime } from '../validation/fields';
import { IsCursor, IsLimit } from '../validation/paging';

/** The intervals of statistics. */
export const STATS_INTERVALS = ['hour', 'day'] as const;
export type StatsInterval = (typeof STATS_INTERVALS)[number];

/** Everything is counted by the hour (UTC), so a part of an hour has no count. */
const FULL_HOUR = 'a full hour in UTC';

/** The time span of statistics. Absent: from the beginning, until now. */
export class StatsSpanQuery {
  @Optional() @IsTime(FULL_HOUR) @Rule<StatsSpanQuery>(({ from }) => problemOfHour(from)) from?: Date;

  @Optional()
  @IsTime(`${FULL_HOUR} after from`)
  @Rule<StatsSpanQuery>(({ from, to }) => problemOfHour(to) ?? (from && to && from >= to ? 'must be after from' : null))
  to?: Date;
}

/** The query of a tracker's statistics. */
export class TrackerStatsQuery extends StatsSpanQuery {
  @IsOneOf(STATS_INTERVALS, { default: 'hour' }) interval!: StatsInterval;
}

/** The query of a message's or a campaign's statistics. */
export class StatsQuery extends TrackerStatsQuery {
  @Optional() @IsAnswerFormat() format?: AnswerFormat;
}

/** Behind a name: its count, its clicks and its digest. Earlier versions gave the number of names before. */
const RANKED_PLACE = /^(?:\d{1,9}|-?\d{1,16} -?\d{1,16} (?:[0-9a-f]{2}){0,32})$/;

/** The query of one of the lists of statistics. */
export class StatsListQuery extends StatsSpanQuery {
  @IsCursor(RANKED_PLACE) cursor?: string;
  @IsLimit(1_000, 200) limit!: number;
}

function problemOfHour(moment: Date | undefined): string | null {
  return moment !== undefined && moment.getTime() % HOUR_MS !== 0 ? `must be ${FULL_HOUR}` : null;
}
