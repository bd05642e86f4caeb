import { Inject, Injectable } from '@nestjs/common';
import { capRoleOf, type Clock } from '@postrider/domain';
import {
  ContactsRepository,
  type DueConnectionPage,
  LOCK_IDS,
  MessagesRepository,
  type PagesToOpen,
  WaitingDeliveriesRepository,
  dueConnectionPages,
  type Sql,
} from '@postrider/persistence';
import { CLOCK, CONFIG, type Config } from '@postrider/platform';
import type { MaintenanceTask } from '../registry/maintenance-task';
import { PutOffQuiet } from './put-off-quiet.service';

/** Pages that one turn opens: a few thousand devices. */
const PAGES_A_TURN = 20;

/**
 * Writes the delivery rows of messages that devices get over their own connection at a later moment (`sendAt` in their time
 * zone, quiet hours, a rate), or whose application has frequency caps, when that moment has come. The edges find the rows.
 * Devices whose quiet hours have begun by then wait for their end. Runs every second (`SWEEP_INTERVAL_MS`).
 */
@Injectable()
export class OpenConnectionPages implements MaintenanceTask {
  readonly name = 'open-connection-pages';
  readonly intervalMs: number;
  readonly lock = LOCK_IDS.openConnectionPages;

  constructor(
    @Inject(CLOCK) private readonly clock: Clock,
    private readonly waiting: WaitingDeliveriesRepository,
    private readonly messages: MessagesRepository,
    private readonly contacts: ContactsRepository,
    private readonly quiet: PutOffQuiet,
    @Inject(CONFIG) { sweepIntervalMs }: Pick<Config, 'sweepIntervalMs'>,
  ) {
    this.intervalMs = sweepIntervalMs;
  }

  due(): Sql {
    return dueConnectionPages(this.clock.now());
  }

  async run(): Promise<boolean> {
    const now = this.clock.now();
    const turn = { now, limit: PAGES_A_TURN };
    let due = await this.waiting.findConnectionPages(turn);
    // A device that is taken off a page is not counted for it.
    if (await this.quiet.putOff(due, now)) due = await this.waiting.findConnectionPages(turn);
    const opened = await this.waiting.openConnectionPages(await this.#keepCaps(due, now), now);
    if (opened.length === 0) return false;
    const messages = new Map(opened.map((message) => [`${message.appId} ${message.messageId}`, message]));
    await this.messages.complete([...messages.values()], now);
    return opened.length === PAGES_A_TURN;
  }

  /** Returns the pages that may be opened, and the devices on them that the frequency caps exclude. */
  async #keepCaps(due: readonly DueConnectionPage[], now: Date): Promise<PagesToOpen> {
    const settling = await this.#settlingAmong(due);
    const pages = due.filter(({ appId, counting }) => counting === null || !settling.has(appId));
    const capped: PagesToOpen['capped'][number][] = [];
    for (const page of pages) {
      for (const deviceId of await this.#countFor(page, now)) capped.push({ messageId: page.messageId, deviceId });
    }
    return { pages, capped };
  }

  /**
   * Returns the applications with pages in hand that began before counting began: their other pages wait for the next
   * turn.
   */
  async #settlingAmong(due: readonly DueConnectionPage[]): Promise<Set<string>> {
    const settling = new Set<string>();
    for (const appId of new Set(due.flatMap((page) => (page.counting === null ? [] : [page.appId])))) {
      if (await this.contacts.isSettling(appId)) settling.add(appId);
    }
    return settling;
  }

  /** Counts a page for its users. @returns the devices whose users must not have it */
  async #countFor(
    { appId, messageId, counting }: DueConnectionPage,
    now: Date,
  ): ReturnType<ContactsRepository['record']> {
    const role = counting === null ? null : capRoleOf(counting.lane, counting.content);
    if (counting === null || !role?.isCounted) return new Set();
    const { devices, frequencyCaps, since } = counting;
    return this.contacts.record({
      appId,
      messageId,
      devices,
      now,
      frequencyCaps,
      isCapped: role.isCapped,
      since: new Date(since),
    });
  }
}
