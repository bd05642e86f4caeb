import { setTimeout as pause } from 'node:timers/promises';
import { Inject, Injectable, type OnApplicationShutdown } from '@nestjs/common';
import {
  DevicesRepository,
  isDatabaseUnavailable,
  type LinkClick,
  ReceiptRecorder,
  StatisticsRepository,
  type TrackerClick,
  TrackersRepository,
} from '@postrider/persistence';
import { Batcher, LOGGER, type Logger, METRICS, RepeatedWarning } from '@postrider/platform';
import { Counter, type Registry } from 'prom-client';

const GATHER_MS = 100;
/** A click is written within this time, unless PostgreSQL is slow. */
export const CLICKS_WRITTEN_WITHIN_MS = 3 * GATHER_MS;
const RETRY_MS = 100;
const MAX_CLICKS = 2_000;
/** The most clicks that a gateway holds while PostgreSQL is down: some minutes of a busy campaign. */
const MOST_HELD = 100_000;

/** A click on a tracked link of a message. */
type FollowedLink = Omit<LinkClick, 'deviceId'> & { installationId: string };

/**
 * Collects clicks for a moment and writes them in batches, so that nobody who clicks waits for the database. A gateway
 * that is killed loses the clicks of the last tenth of a second; one that is stopped writes them first. While
 * PostgreSQL is down it holds up to 100,000 clicks; further ones are counted as lost.
 */
@Injectable()
export class ClickBuffer implements OnApplicationShutdown {
  readonly #clicks: Batcher<TrackerClick>;
  /** Waiting clicks that later equal clicks are added to. */
  readonly #same = new Map<string, TrackerClick>();
  readonly #links: Batcher<FollowedLink>;
  readonly #lost: Counter;
  readonly #isFull: RepeatedWarning;
  #isStopping = false;

  constructor(
    private readonly statistics: StatisticsRepository,
    private readonly trackers: TrackersRepository,
    @Inject(LOGGER) private readonly logger: Logger,
    @Inject(METRICS) registry: Registry,
    private readonly recorder: ReceiptRecorder,
    private readonly devices: DevicesRepository,
  ) {
    this.#lost = new Counter({
      name: 'postrider_clicks_lost_total',
      help: 'Clicks on links that could not be recorded',
      registers: [registry],
    });
    this.#isFull = new RepeatedWarning(logger, 'clicks.not-held');
    this.#clicks = this.#createBatcher((clicks) => {
      this.#same.clear();
      return this.#write(clicks, (some) => this.trackers.recordClicks(some));
    });
    this.#links = this.#createBatcher((clicks) => this.#writeLinks(clicks));
  }

  /** Adds a click to a waiting one with the same text. @returns false if there is none */
  addSame(sameness: string): boolean {
    const click = this.#same.get(sameness);
    if (click === undefined) return false;
    click.times++;
    return true;
  }

  /**
   * Adds a click on a tracker. @param sameness a text that is equal for clicks that count together; null: it counts
   * alone
   */
  add(click: TrackerClick, sameness: string | null): void {
    if (!this.#clicks.offer(click)) this.#overflow();
    else if (sameness !== null) this.#same.set(sameness, click);
  }

  /** Adds a click on a tracked link of a message. */
  addLink(click: FollowedLink): void {
    if (!this.#links.offer(click)) this.#overflow();
  }

  /** Writes what is held. Clicks that PostgreSQL does not accept then are lost. */
  async onApplicationShutdown(): Promise<void> {
    this.#isStopping = true;
    await this.flush();
  }

  /** Writes what is held. */
  async flush(): Promise<void> {
    await Promise.all([this.#clicks.drain(), this.#links.drain()]);
  }

  /** One statement at a time: a commit costs more than the clicks in it. */
  #createBatcher<Click>(work: (clicks: Click[]) => Promise<unknown>): Batcher<Click> {
    return new Batcher({ work, maxItems: MAX_CLICKS, maxWaitMs: GATHER_MS, capacity: MOST_HELD });
  }

  /** @returns false if they are lost */
  async #write<Click extends object>(
    clicks: readonly Click[],
    record: (clicks: readonly Click[]) => Promise<void>,
  ): Promise<boolean> {
    for (;;) {
      try {
        await record(clicks);
        return true;
      } catch (error) {
        if (!isDatabaseUnavailable(error) || this.#isStopping) {
          this.#lose(clicks, error);
          return false;
        }
        await pause(RETRY_MS);
      }
    }
  }

  #overflow(): void {
    this.#lost.inc();
    this.#isFull.log({ held: MOST_HELD });
  }

  #lose(lost: readonly object[], error: unknown): void {
    const clicks = lost.reduce((sum, click) => sum + ('times' in click ? Number(click.times) : 1), 0);
    this.#lost.inc(clicks);
    this.logger.error({ err: error, clicks }, 'clicks.lost');
  }

  /**
   * Every click counts, once: what is counted is not repeated when a receipt cannot be written. For its device, if it
   * still exists, a click is also the receipt of an opened link, which may be written twice.
   */
  async #writeLinks(followed: readonly FollowedLink[]): Promise<void> {
    let clicks: LinkClick[] = [];
    const isCounted = await this.#write(followed, async (some) => {
      clicks = await this.#findDevices(some);
      await this.statistics.countLinkClicks(clicks);
    });
    if (isCounted) await this.#write(clicks, (some) => this.#recordOpened(some));
  }

  async #findDevices(followed: readonly FollowedLink[]): Promise<LinkClick[]> {
    const owners = await this.devices.findOwners(uniqueInstallations(followed));
    const devices = new Map(owners.map((owner) => [nameOf(owner), owner.deviceId]));
    return Promise.all(
      followed.map(async (click): Promise<LinkClick> => {
        const link = await this.recorder.links.nameOf(click, click.link);
        return { ...click, link, deviceId: devices.get(nameOf(click)) ?? null };
      }),
    );
  }

  async #recordOpened(clicks: readonly LinkClick[]): Promise<void> {
    await Promise.all(
      clicks.map(async ({ appId, deviceId, messageId, link, at }) => {
        if (deviceId !== null) await this.recorder.record(appId, deviceId, [{ messageId, kind: 'link', link, at }]);
      }),
    );
  }
}

function nameOf({ appId, installationId }: { appId: string; installationId: string }): string {
  return `${appId} ${installationId}`;
}

function uniqueInstallations(clicks: readonly FollowedLink[]): FollowedLink[] {
  return [...new Map(clicks.map((click) => [nameOf(click), click])).values()];
}
