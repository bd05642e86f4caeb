import {
  CountField,
  ListField,
  NextCursorField,
  NumberField,
  ObjectField,
  ObjectsField,
  TextField,
  TimeField,
  WordField,
} from '../validation/answers';
import { STATS_INTERVALS, type StatsInterval } from './stats.request';

/**
 * What people did with a message. Each is a number of devices, counted once per message however often a device
 * reported, at the time of its first report; except `clicks`, which is every click on a tracked link, and
 * `conversions`.
 */
export class EngagementTotals {
  @CountField({ description: 'devices that got it: they reported that it was delivered, shown, opened or dismissed' })
  delivered!: number;
  @CountField() shown!: number;
  @CountField() opened!: number;
  @CountField() dismissed!: number;
  @CountField({ description: 'devices by action; a device that took two actions counts twice' }) actions!: number;
  @CountField({ description: 'devices by link' }) links!: number;
  @CountField({ description: 'every click on a tracked link' }) clicks!: number;
  @CountField({ description: 'devices that chose an action or a link; each counts once' }) clicked!: number;
  @CountField() conversions!: number;
}

/** What people did with a message in an hour or on a day. */
export class EngagementAt extends EngagementTotals {
  @TimeField() at!: string;
}

/** How many devices took an action. */
export class ActionTotal {
  @TextField() id!: string;
  @CountField() devices!: number;
}

/** How many devices followed a link, and how often. */
export class LinkTotal {
  @TextField() link!: string;
  @CountField() devices!: number;
  @CountField() clicks!: number;
}

/** Revenue in one currency. */
export class RevenueTotal {
  @TextField({ isNullable: true, description: 'null when the app reported none' }) currency!: string | null;
  @CountField() conversions!: number;
  @NumberField() amount!: number;
}

/** The number of actions, links and currencies that are not listed: the least chosen ones. */
export class UnlistedTotals {
  @CountField() actions!: number;
  @CountField() links!: number;
  @CountField() revenue!: number;
}

/** The answer of `GET /api/push/messages/:id/stats` and `/campaigns/:id/stats`. */
export class StatsResponse {
  @TextField({ description: 'the id of the message or campaign, or the tracking id of the campaign' }) id!: string;
  @TextField({ isNullable: true }) trackId!: string | null;
  @CountField({ description: 'the number of messages of the campaign' }) messages!: number;
  @CountField({ description: 'the number of devices that it was sent to' }) count!: number;
  @TimeField() from!: string;
  @TimeField() to!: string;
  @WordField(STATS_INTERVALS) interval!: StatsInterval;

  @ObjectField(() => EngagementTotals, { description: 'devices, each counted once for each message' })
  totals!: EngagementTotals;

  @ListField(() => ActionTotal) actions!: ActionTotal[];
  @ListField(() => LinkTotal) links!: LinkTotal[];
  @ListField(() => RevenueTotal) revenue!: RevenueTotal[];
  @ObjectsField(() => EngagementTotals) byPlatform!: Record<string, EngagementTotals>;
  @ListField(() => EngagementAt) series!: EngagementAt[];
  @ObjectField(() => UnlistedTotals) more!: UnlistedTotals;
}

/** The answer of `GET …/stats/actions`, `…/stats/links` and `…/stats/revenue`: one of the three, those most chosen first. */
export class StatsListResponse {
  @ListField(() => ActionTotal, { isOptional: true }) actions?: ActionTotal[];
  @ListField(() => LinkTotal, { isOptional: true }) links?: LinkTotal[];
  @ListField(() => RevenueTotal, { isOptional: true }) revenue?: RevenueTotal[];
  @CountField({ description: 'the number of entries in total' }) total!: number;
  @NextCursorField() nextCursor!: string | null;
}
