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
import { LOGGER, type Logger, METRICS } from '@postrider/platform';
import { Counter, type Registry } from 'prom-client';

const FLUSH_MS = 100;
const CLICKS_AT_ONCE = 2_000;
/** What a gateway holds while PostgreSQL is away: some minutes of a busy campaign. */
const MOST_HELD = 100_000;

/** A click on a tracked link of a message. */
export type FollowedLink = Omit<LinkClick, 'deviceId'> & { installationId: string };

/**
 * Holds clicks for a moment and writes them together, so that nobody who clicks waits for the database. A gateway that is
 * killed loses the clicks of the last tenth of a second; one that is told to stop writes them first. While PostgreSQL is away
 * up to 100,000 are held, and those beyond are counted as lost.
 */
@Injectable()
export class ClickBuffer implements OnApplicationShutdown {
  #clicks: TrackerClick[] = [];
  /** Those of `#clicks` that the next of their like count with. */
  #same = new Map<string, TrackerClick>();
  #links: FollowedLink[] = [];
  #timer: NodeJS.Timeout | undefined;
  #flushing: Promise<void> | undefined;
  readonly #lost: Counter;

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
  }

  /** Counts a click with one that is held and was noted under the same text. @returns false when there is none */
  addSame(sameness: string): boolean {
    const click = this.#same.get(sameness);
    if (click === undefined) return false;
    click.times++;
    return true;
  }

  /** Takes a click on a tracker. @param sameness what others have in common that count with it; null: it stands alone */
  add(click: TrackerClick, sameness: string | null): void {
    if (this.#hold(this.#clicks, click) && sameness !== null) this.#same.set(sameness, click);
  }

  /** Takes a click on a tracked link of a message. */
  addLink(click: FollowedLink): void {
    this.#hold(this.#links, click);
  }

  async onApplicationShutdown(): Promise<void> {
    await this.flush();
  }

  /** Writes what is held. */
  async flush(): Promise<void> {
    clearTimeout(this.#timer);
    this.#timer = undefined;
    await this.#flushing;
    this.#flushing = this.#flushAll().finally(() => (this.#flushing = undefined));
    await this.#flushing;
  }

  #hold<Click>(held: Click[], click: Click): boolean {
    const hasRoom = held.length < MOST_HELD;
    if (hasRoom) held.push(click);
    else this.#lost.inc();
    this.#schedule();
    return hasRoom;
  }

  #schedule(): void {
    this.#timer ??= setTimeout(() => {
      this.#timer = undefined;
      void this.flush();
    }, FLUSH_MS);
  }

  /** What is held now. What comes meanwhile waits for the next time: a commit costs more than the clicks in it. */
  async #flushAll(): Promise<void> {
    for (let left = this.#clicks.length; left > 0; left -= CLICKS_AT_ONCE) {
      this.#same.clear();
      if (!(await this.#write(this.#clicks, (some) => this.trackers.recordClicks(some)))) break;
    }
    for (let left = this.#links.length; left > 0; left -= CLICKS_AT_ONCE) {
      if (!(await this.#write(this.#links, (some) => this.#recordLinks(some)))) break;
    }
    if (this.#clicks.length + this.#links.length > 0) this.#schedule();
  }

  /** @returns false when PostgreSQL is away: what was not written is held on */
  async #write<Click extends object>(
    held: Click[],
    record: (some: readonly Click[]) => Promise<void>,
  ): Promise<boolean> {
    const some = held.splice(0, CLICKS_AT_ONCE);
    try {
      await record(some);
      return true;
    } catch (error) {
      if (isDatabaseUnavailable(error)) {
        held.unshift(...some);
        return false;
      }
      const clicks = some.reduce((sum, click) => sum + ('times' in click ? Number(click.times) : 1), 0);
      this.#lost.inc(clicks);
      this.logger.error({ err: error, clicks }, 'clicks.lost');
      return true;
    }
  }

  /** Every click counts; and to its device, while there is one, it is the receipt of an opened link. */
  async #recordLinks(followed: readonly FollowedLink[]): Promise<void> {
    const owners = await this.devices.findOwners(uniqueInstallations(followed));
    const devices = new Map(owners.map((owner) => [nameOf(owner), owner.deviceId]));
    const clicks = await Promise.all(
      followed.map(async (click): Promise<LinkClick> => {
        const link = await this.recorder.links.nameOf(click.appId, click.messageId, click.link);
        return { ...click, link, deviceId: devices.get(nameOf(click)) ?? null };
      }),
    );
    await this.statistics.countLinkClicks(clicks);
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
