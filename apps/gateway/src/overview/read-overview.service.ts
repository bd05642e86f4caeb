import { Inject, Injectable } from '@nestjs/common';
import type { CampaignDaysResponse, OverviewResponse } from '@postrider/contracts';
import {
  type Clock,
  DAY_MS,
  MINUTE_MS,
  PUSH_VENDORS,
  type PushVendor,
  SECOND_MS,
  TREND_DAYS,
  trendBegin,
} from '@postrider/domain';
import {
  type CampaignDay,
  type DeviceCount,
  OverviewRepository,
  type SendSums,
  type SkipCount,
  type ThroughputPoint,
} from '@postrider/persistence';
import { CLOCK } from '@postrider/platform';
import { FindAttention } from './find-attention.service';
import { type AsOf, StaleWhileRevalidateCache } from './stale-while-revalidate-cache';

/** How old each part may be. Counts that read every device are computed at most once a minute. */
const FRESH_MS = {
  devices: MINUTE_MS,
  online: 10 * SECOND_MS,
  sends: 15 * SECOND_MS,
  skips: MINUTE_MS,
  days: MINUTE_MS,
};
/** How long the first reader waits for a count before the answer says that it is being computed. */
const PATIENCE_MS = 120;
const SPAN_SECONDS = 10;
const SPANS = 60;

/** Reads the overview of an application, quickly however large the application is. */
@Injectable()
export class ReadOverview {
  readonly #devices: StaleWhileRevalidateCache<DeviceCount[]>;
  readonly #online: StaleWhileRevalidateCache<number>;
  readonly #sends: StaleWhileRevalidateCache<SendSums>;
  readonly #skips: StaleWhileRevalidateCache<SkipCount[]>;
  readonly #days: StaleWhileRevalidateCache<CampaignDay[]>;

  constructor(
    private readonly figures: OverviewRepository,
    @Inject(CLOCK) private readonly clock: Clock,
    private readonly findAttention: FindAttention,
  ) {
    this.#devices = new StaleWhileRevalidateCache(clock, FRESH_MS.devices, PATIENCE_MS);
    this.#online = new StaleWhileRevalidateCache(clock, FRESH_MS.online, PATIENCE_MS);
    this.#sends = new StaleWhileRevalidateCache(clock, FRESH_MS.sends, PATIENCE_MS);
    this.#skips = new StaleWhileRevalidateCache(clock, FRESH_MS.skips, PATIENCE_MS);
    this.#days = new StaleWhileRevalidateCache(clock, FRESH_MS.days, PATIENCE_MS);
  }

  /** The figures of an application. @param since from when on sends are summed up */
  async read(appId: string, since: Date): Promise<OverviewResponse> {
    const now = this.clock.now();
    const begin = firstSpan(now);
    const [sends, skips, devices, online, points, attention, steps] = await Promise.all([
      this.#sends.get(`${appId} ${since.toISOString()}`, () => this.figures.sumSends(appId, since, this.clock.now())),
      this.#skips.get(`${appId} ${since.toISOString()}`, () => this.figures.countSkips(appId, since, this.clock.now())),
      this.#devices.get(appId, () => this.figures.countDevices(appId)),
      this.#online.get(appId, () => this.figures.countOnline(appId)),
      this.figures.readThroughput(appId, begin, SPAN_SECONDS),
      this.findAttention.find(appId),
      this.figures.findFirstSteps(appId),
    ]);
    return {
      at: now.toISOString(),
      sends: sends && { ...sends.value, asOf: sends.asOf.toISOString(), since: since.toISOString() },
      skips: skips && showSkips(skips, since),
      devices: devices && showDevices(devices),
      online: online && { asOf: online.asOf.toISOString(), devices: online.value },
      throughput: { spanSeconds: SPAN_SECONDS, points: fillIn(points, begin) },
      attention: steps.hasVendor ? attention : [NO_VENDOR, ...attention],
      steps,
    };
  }

  /** The campaigns of an application by the day on which they left. */
  async readCampaignDays(appId: string): Promise<CampaignDaysResponse> {
    const begin = trendBegin(this.clock.now());
    // The day is a part of the key, because the first day changes at midnight.
    const found = await this.#days.get(`${appId} ${begin.toISOString()}`, () =>
      this.figures.sumCampaignDays(appId, begin, this.clock.now()),
    );
    return { asOf: found && found.asOf.toISOString(), days: found === null ? [] : showDays(found.value, begin) };
  }
}

/** Returns each day of the span, also those without a campaign. */
function showDays(found: readonly CampaignDay[], begin: Date): CampaignDaysResponse['days'] {
  const byDay = new Map(found.map((day) => [day.day.getTime(), day]));
  return Array.from({ length: TREND_DAYS + 1 }, (_, n) => {
    const at = begin.getTime() + n * DAY_MS;
    const { campaigns = 0, devices = 0, delivered = 0, opened = 0, clicked = 0 } = byDay.get(at) ?? {};
    return { at: new Date(at).toISOString(), campaigns, devices, delivered, opened, clicked };
  });
}

const NO_VENDOR: OverviewResponse['attention'][number] = {
  kind: 'no_vendor',
  severity: 'warning',
  vendor: null,
  since: null,
  message: 'No vendor is connected: only devices with an own connection can be reached',
};

function showDevices({ value, asOf }: AsOf<DeviceCount[]>): OverviewResponse['devices'] {
  const sum = (name: 'total' | 'reachable'): number => value.reduce((all, count) => all + count[name], 0);
  return {
    asOf: asOf.toISOString(),
    total: sum('total'),
    reachable: sum('reachable'),
    byType: value.map(({ deviceType, total, reachable }) => ({ deviceType, total, reachable })),
    waitingForVendors: waitingByVendor(value),
  };
}

function showSkips({ value, asOf }: AsOf<SkipCount[]>, since: Date): OverviewResponse['skips'] {
  const byReason: Record<string, number> = {};
  const byVendor: Record<string, Record<string, number>> = {};
  for (const { vendor, reason, devices } of value) {
    byReason[reason] = (byReason[reason] ?? 0) + devices;
    if (vendor !== null) (byVendor[vendor] ??= {})[reason] = devices;
  }
  const devices = value.reduce((all, skip) => all + skip.devices, 0);
  return { asOf: asOf.toISOString(), since: since.toISOString(), devices, byReason, byVendor };
}

/** Returns how many devices wait for credentials of their vendor, by vendor, the most first. */
function waitingByVendor(counts: readonly DeviceCount[]): { vendor: PushVendor; devices: number }[] {
  return PUSH_VENDORS.map((vendor) => ({
    vendor,
    devices: counts.reduce((all, { waiting }) => all + (waiting[vendor] ?? 0), 0),
  }))
    .filter(({ devices }) => devices > 0)
    .toSorted((one, other) => other.devices - one.devices);
}

/** The beginning of the first span that is shown. The last span is the current one. */
function firstSpan(now: Date): Date {
  const span = Math.floor(now.getTime() / 1_000 / SPAN_SECONDS);
  return new Date((span - SPANS + 1) * SPAN_SECONDS * 1_000);
}

function fillIn(points: readonly ThroughputPoint[], begin: Date): OverviewResponse['throughput']['points'] {
  const found = new Map(points.map(({ at, devices }) => [at.getTime(), devices]));
  return Array.from({ length: SPANS }, (_, n) => {
    const at = begin.getTime() + n * SPAN_SECONDS * 1_000;
    return { at: new Date(at).toISOString(), devices: found.get(at) ?? 0 };
  });
}
