import { Inject, Injectable } from '@nestjs/common';
import { NO_DEVICE, type DeviceId, type Clock, MINUTE_MS } from '@postrider/domain';
import {
  type EdgeEnd,
  WaitingDeliveriesRepository,
  type EdgeOutcomes,
  type WaitingMessage,
} from '@postrider/persistence';
import { CLOCK } from '@postrider/platform';
import type { DeviceSession } from '../session/device-session';
import type { EdgePage, OutgoingDelivery } from '../session/outgoing-delivery';

/**
 * Pages are forgotten after this time. Most end long before; the audience worker reroutes what is not acknowledged by
 * then.
 */
const FORGOTTEN_AFTER_MS = MINUTE_MS;
/** Above this number, pages are forgotten sooner. */
const MANY = 20_000;
const FORGOTTEN_OF_MANY_AFTER_MS = 10_000;

/** The outcome of a delivery to a session, and when it was known. */
export interface Outcome {
  session: DeviceSession;
  delivery: Pick<OutgoingDelivery, 'message' | 'isKept' | 'page' | 'language'>;
  at: Date;
}

/** A page, and the outcomes on it that one statement writes, by device. */
interface PageOutcomes<One extends Outcome = Outcome> {
  page: EdgePage;
  byDevice: Map<string, One>;
}

/**
 * The pages that hold deliveries for connected devices. The delivery row of a device is written once, with its outcome. A page
 * is deleted with the last outcome of its devices.
 */
@Injectable()
export class EdgePages {
  readonly #pages = new Map<string, { page: EdgePage; sinceMs: number }>();

  constructor(
    @Inject(CLOCK) private readonly clock: Clock,
    private readonly deliveries: WaitingDeliveriesRepository,
  ) {}

  /**
   * Writes delivery rows for messages that no vendor has accepted yet, so that they wait for the connections of these
   * devices.
   */
  async keepUnsent(devices: readonly { appId: string; deviceId: DeviceId }[]): Promise<void> {
    await this.deliveries.keepUnsent(devices, this.clock.now());
  }

  /** Pages whose devices without an outcome are known. */
  get knownPageIds(): string[] {
    const ids: string[] = [];
    for (const [pageId, { page }] of this.#pages) if (page.left !== null) ids.push(pageId);
    return ids;
  }

  /**
   * The page of a message that was read; null: each delivery has a row already.
   *
   * @param wholeAtMs when the statement began, if it read all devices of the page without an outcome; null: it read some
   */
  pageOf({ appId, messageId, pageId, deviceIds }: WaitingMessage, wholeAtMs: number | null): EdgePage | null {
    if (pageId === null) return null;
    const page = this.#pages.get(pageId)?.page ?? {
      appId,
      messageId,
      pageId,
      left: null,
      leftAtMs: 0,
      ended: new Set(),
    };
    if (wholeAtMs !== null && page.left === null && deviceIds !== null) {
      page.left = new Set(
        page.ended.size === 0 ? deviceIds : deviceIds.filter((deviceId) => !page.ended.has(deviceId)),
      );
      page.leftAtMs = wholeAtMs;
    }
    this.#remember(page);
    return page;
  }

  /**
   * Records the outcomes of deliveries that are on pages.
   *
   * @returns the other outcomes: their deliveries have a row already, or their page is gone
   */
  async record<One extends Outcome>(outcomes: readonly One[], end: EdgeEnd): Promise<One[]> {
    const pages = byPage(outcomes);
    const others = outcomes.filter(({ delivery }) => delivery.page === null);
    if (pages.length === 0) return others;
    const recorded = pages.map(edgeOutcomesOf);
    const notHeld = await this.deliveries.recordOutcomes(recorded, end, this.clock.now());
    pages.forEach(({ page, byDevice }, place) =>
      this.#removeEnded(page, byDevice.keys(), recorded[place]?.isComplete === true),
    );
    await this.#endEmptied(pages, end);
    for (const { place, deviceId } of notHeld) {
      const outcome = pages[place]?.byDevice.get(deviceId);
      if (outcome !== undefined) others.push(outcome);
    }
    return others;
  }

  /** @param isGone whether the page is deleted in PostgreSQL */
  #removeEnded({ pageId, left, ended }: EdgePage, deviceIds: Iterable<string>, isGone: boolean): void {
    for (const deviceId of deviceIds) {
      if (left === null) ended.add(deviceId);
      else left.delete(deviceId);
    }
    if (isGone) this.#pages.delete(pageId);
  }

  /**
   * Deletes pages that turned out to be complete: their devices were read while the last outcomes were being written. Such a
   * page stays in memory until it is deleted in PostgreSQL: it would be taken for a new one otherwise.
   */
  async #endEmptied(pages: readonly PageOutcomes[], end: EdgeEnd): Promise<void> {
    const emptied = pages.filter(({ page: { pageId, left } }) => left?.size === 0 && this.#pages.has(pageId));
    if (emptied.length === 0) return;
    const complete = emptied.map(({ page }) => edgeOutcomesOf({ page, byDevice: new Map() }));
    await this.deliveries.recordOutcomes(complete, end, this.clock.now());
    for (const { page } of emptied) this.#pages.delete(page.pageId);
  }

  #remember(page: EdgePage): void {
    if (this.#pages.has(page.pageId)) return;
    const nowMs = performance.now();
    this.#pages.set(page.pageId, { page, sinceMs: nowMs });
    for (const [pageId, { sinceMs }] of this.#pages) {
      if (nowMs - sinceMs < (this.#pages.size > MANY ? FORGOTTEN_OF_MANY_AFTER_MS : FORGOTTEN_AFTER_MS)) break;
      this.#pages.delete(pageId);
    }
  }
}

/** Groups outcomes by page, in the order in which PostgreSQL locks the pages. A device is on a page once. */
function byPage<One extends Outcome>(outcomes: readonly One[]): PageOutcomes<One>[] {
  const pages = new Map<string, PageOutcomes<One>>();
  for (const outcome of outcomes) {
    const { page } = outcome.delivery;
    if (page === null) continue;
    let found = pages.get(page.pageId);
    if (found === undefined) pages.set(page.pageId, (found = { page, byDevice: new Map() }));
    found.byDevice.set(outcome.session.identity?.deviceId ?? NO_DEVICE, outcome);
  }
  return [...pages.values()].sort((one, other) => (keyOf(one) < keyOf(other) ? -1 : 1));
}

function keyOf({ page: { appId, messageId, pageId } }: PageOutcomes): string {
  return `${appId} ${messageId} ${pageId}`;
}

function edgeOutcomesOf({ page, byDevice }: PageOutcomes): EdgeOutcomes {
  const { appId, messageId, pageId, left } = page;
  let open = left?.size ?? 1;
  const deviceIds: DeviceId[] = [];
  const times: number[] = [];
  const languages: (string | null)[] = [];
  let hasLanguages = false;
  for (const [deviceId, { at, delivery }] of byDevice) {
    deviceIds.push(deviceId);
    times.push(at.getTime());
    languages.push(delivery.language);
    hasLanguages ||= delivery.language !== null;
    if (left?.has(deviceId)) open--;
  }
  const isComplete = open === 0;
  return { appId, messageId, pageId, deviceIds, times, isComplete, ...(hasLanguages ? { languages } : {}) };
}
