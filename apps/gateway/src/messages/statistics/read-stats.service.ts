import { Readable } from 'node:stream';
import { Inject, Injectable } from '@nestjs/common';
import {
  cutList,
  type EngagementTotals,
  makeCursor,
  type StatsListQuery,
  type StatsListResponse,
  type StatsQuery,
  type StatsResponse,
} from '@postrider/contracts';
import type { Clock } from '@postrider/domain';
import {
  type Database,
  DATABASE,
  inSnapshot,
  type MessageCount,
  type MessageCountKind,
  type MessageSum,
  type NamedCounts,
  type RankedPlace,
  type RankedName,
  StatisticsRepository,
} from '@postrider/persistence';
import { CLOCK } from '@postrider/platform';
import { csvLine } from '../../http/csv';
import { readParts } from '../../http/read-parts';
import { type StatsSubject, StatsSubjects, type SubjectKind } from './stats-subjects.service';

const NAME_OF: Record<MessageCountKind, keyof EngagementTotals> = {
  delivered: 'delivered',
  shown: 'shown',
  opened: 'opened',
  dismissed: 'dismissed',
  action: 'actions',
  link: 'links',
  click: 'clicks',
  clicked: 'clicked',
  conversion: 'conversions',
};

type Counts = Record<keyof EngagementTotals, number>;

/** Sums by hour and platform, added up in every way in which they are shown. */
function sumCounts(sums: readonly MessageSum[]): Pick<StatsResponse, 'totals' | 'byPlatform' | 'series'> {
  const totals = nothing();
  const byPlatform = new Map<string, Counts>();
  const series = new Map<string, Counts>();
  for (const { kind, from, platform, count } of sums) {
    for (const sum of [totals, entry(byPlatform, platform), entry(series, from.toISOString())]) {
      sum[NAME_OF[kind]] += count;
    }
  }
  return {
    totals,
    byPlatform: Object.fromEntries(byPlatform),
    series: [...series].map(([at, counted]) => ({ at, ...counted })),
  };
}

function nothing(): Counts {
  return {
    delivered: 0,
    shown: 0,
    opened: 0,
    dismissed: 0,
    actions: 0,
    links: 0,
    clicks: 0,
    clicked: 0,
    conversions: 0,
  };
}

function entry(map: Map<string, Counts>, key: string): Counts {
  const known = map.get(key) ?? nothing();
  map.set(key, known);
  return known;
}

/** The form of the ranked names in each list of statistics. */
const SHOW_NAMES = {
  actions: (names) => names.map(({ name, count }) => ({ id: name ?? '', devices: count })),
  links: (names) => names.map(({ name, count, clicks }) => ({ link: name ?? '', devices: count, clicks })),
  revenue: (names) => names.map(({ name, count, amount }) => ({ currency: name, conversions: count, amount })),
} satisfies { [Of in NamedCounts]: (names: readonly RankedName[]) => StatsResponse[Of] };

/** Returns a list under its own name. */
function showList(of: NamedCounts, names: readonly RankedName[]): Partial<StatsListResponse> {
  return { [of]: SHOW_NAMES[of](names) };
}

/** The number of actions, links and currencies beside the sums: the most chosen ones. */
const MOST_NAMED = 200;
/** The number of lines of a file that one statement reads. */
const SLICE_ROWS = 10_000;

/** Reads what people did with messages and campaigns. */
@Injectable()
export class ReadStats {
  constructor(
    @Inject(DATABASE) private readonly database: Database,
    private readonly statistics: StatisticsRepository,
    private readonly subjects: StatsSubjects,
    @Inject(CLOCK) private readonly clock: Clock,
  ) {}

  /** Sums over everything, and the most chosen actions and links. @throws DomainError NOT_FOUND */
  async read(appId: string, kind: SubjectKind, id: string, asked: StatsQuery): Promise<StatsResponse> {
    return inSnapshot(this.database, async (executor) => {
      const subject = await this.subjects.find(executor, appId, kind, id);
      const time = this.#timeOf(subject, asked);
      const page = { after: null, offset: 0, limit: MOST_NAMED };
      const rank = (of: NamedCounts): ReturnType<StatisticsRepository['rankNames']> =>
        this.statistics.rankNames(executor, appId, { messages: subject.counted, time, of }, page);
      const sums = await this.statistics.sumByKind(executor, appId, subject.counted, {
        ...time,
        interval: asked.interval,
      });
      const [actions, links, revenue] = [await rank('actions'), await rank('links'), await rank('revenue')];
      return {
        id: subject.id,
        trackId: subject.trackId,
        messages: subject.messages,
        count: subject.count,
        from: time.since.toISOString(),
        to: time.until.toISOString(),
        interval: asked.interval,
        ...sumCounts(sums),
        actions: SHOW_NAMES.actions(actions.names),
        links: SHOW_NAMES.links(links.names),
        revenue: SHOW_NAMES.revenue(revenue.names),
        more: {
          actions: actions.total - actions.names.length,
          links: links.total - links.names.length,
          revenue: revenue.total - revenue.names.length,
        },
      };
    });
  }

  /**
   * Lists one page of the actions, links or currencies, the most chosen first.
   *
   * @throws DomainError NOT_FOUND
   */
  async list(
    appId: string,
    { kind, id, of }: { kind: SubjectKind; id: string; of: NamedCounts },
    { cursor, limit, ...span }: StatsListQuery,
  ): Promise<StatsListResponse> {
    return inSnapshot(this.database, async (executor) => {
      const subject = await this.subjects.find(executor, appId, kind, id);
      const ranking = { messages: subject.counted, time: this.#timeOf(subject, span), of };
      const found = await this.statistics.rankNames(executor, appId, ranking, { ...placeIn(cursor), limit: limit + 1 });
      const { entries, nextCursor } = cutList(found.names, limit, ({ count, clicks, key }) =>
        makeCursor(`${count} ${clicks} ${key}`),
      );
      return { ...showList(of, entries), total: found.total, nextCursor };
    });
  }

  /**
   * Returns every count as CSV text. Memory holds one slice of it, and the next one is read when the caller has
   * consumed the last.
   *
   * @throws DomainError NOT_FOUND
   */
  async open(appId: string, kind: SubjectKind, id: string, asked: StatsQuery): Promise<Readable> {
    const subject = await this.subjects.find(this.database, appId, kind, id);
    return Readable.from(this.#lines(appId, subject, asked), { objectMode: false });
  }

  async *#lines(appId: string, subject: StatsSubject, asked: StatsQuery): AsyncGenerator<string> {
    const time = { ...this.#timeOf(subject, asked), interval: asked.interval };
    yield STATS_CSV_HEAD;
    const parts = readParts({
      first: null,
      limit: SLICE_ROWS,
      read: (after: MessageCount | null, limit) => this.statistics.list(appId, subject.counted, time, { after, limit }),
      placeOf: (count) => count,
    });
    for await (const counts of parts) yield statsCsv(counts);
  }

  #timeOf({ begunAt }: StatsSubject, { from, to }: Pick<StatsQuery, 'from' | 'to'>): { since: Date; until: Date } {
    return { since: from ?? begunAt, until: to ?? this.clock.now() };
  }
}

const CSV_COLUMNS = ['at', 'platform', 'kind', 'name', 'count', 'revenue'];

/** The first line. */
const STATS_CSV_HEAD = csvLine(CSV_COLUMNS);

/** Counts as lines of CSV text (RFC 4180), one for each hour or day, platform and counted thing. */
function statsCsv(counts: readonly MessageCount[]): string {
  const lines = counts.map(({ from, platform, kind, name, count, amount }) =>
    csvLine([from.toISOString(), platform, kind, name ?? '', count, kind === 'conversion' ? amount : '']),
  );
  return lines.join('');
}

/** Where a list of names goes on. A number alone, which earlier versions gave, is how many names came before. */
function placeIn(cursor = '0'): { after: RankedPlace | null; offset: number } {
  const [first, clicks, key] = cursor.split(' ');
  if (key === undefined) return { after: null, offset: Number(first) };
  return { after: { count: Number(first), clicks: Number(clicks), key }, offset: 0 };
}
