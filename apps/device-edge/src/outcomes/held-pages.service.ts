import { Inject, Injectable } from '@nestjs/common';
import type { Clock } from '@postrider/domain';
import {
  DATABASE,
  type Database,
  type HeldEnd,
  type HeldOutcomes,
  keepUnsent,
  recordHeldOutcomes,
  type WaitingMessage,
} from '@postrider/persistence';
import { CLOCK } from '@postrider/platform';
import type { HeldPage } from '../session/outgoing-delivery';
import type { Outcome } from '../ledger/outcome';

/** Most pages end long before: somebody else looks after what is not acknowledged by then. */
const FORGOTTEN_AFTER_MS = 60_000;
/** Where there are very many, they are forgotten as soon as the ledger tells again who of a page has an outcome. */
const MANY = 20_000;
const FORGOTTEN_OF_MANY_AFTER_MS = 10_000;

/** A page, and the outcomes of deliveries on it that are written together, by device. */
interface PageOutcomes {
  page: HeldPage;
  byDevice: Map<string, Outcome>;
}

/**
 * The pages on which the ledger holds deliveries for connected devices. Each device's row is written once, with its outcome;
 * a page whose devices all have one goes with the last of them.
 */
@Injectable()
export class HeldPages {
  readonly #known = new Map<string, { page: HeldPage; sinceMs: number }>();

  constructor(
    @Inject(DATABASE) private readonly database: Database,
    @Inject(CLOCK) private readonly clock: Clock,
  ) {}

  /** Gives devices their rows of what no push service has taken yet. */
  async keepUnsent(devices: readonly { appId: string; deviceId: string }[]): Promise<void> {
    await keepUnsent(this.database, devices, this.clock.now());
  }

  /** Pages whose devices are known here. */
  get knownPageIds(): string[] {
    const known: string[] = [];
    for (const [pageId, { page }] of this.#known) if (page.left !== null) known.push(pageId);
    return known;
  }

  /**
   * The page of what was read; null: each delivery has a row already.
   *
   * @param wholeAtMs when the statement began that read all devices of the page without an outcome; null: it read some
   */
  pageOf({ appId, messageId, pageId, deviceIds }: WaitingMessage, wholeAtMs: number | null): HeldPage | null {
    if (pageId === null) return null;
    const page = this.#known.get(pageId)?.page ?? {
      ...{ appId, messageId, pageId, left: null, leftAtMs: 0 },
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
   * Records how deliveries ended: those on pages.
   *
   * @returns the others: they have a row already, or nobody waits for them any more
   */
  async record<One extends Outcome>(together: readonly One[], end: HeldEnd): Promise<One[]> {
    const pages = byPage(together);
    const others = together.filter(({ delivery }) => delivery.page === null);
    if (pages.length === 0) return others;
    const told = pages.map(outcomesOf);
    const notHeld = await recordHeldOutcomes(this.database, told, end, this.clock.now());
    pages.forEach(({ page, byDevice }, place) => this.#strike(page, byDevice.keys(), told[place]?.isComplete === true));
    await this.#endEmptied(pages, end);
    for (const { place, deviceId } of notHeld) {
      const outcome = pages[place]?.byDevice.get(deviceId);
      if (outcome !== undefined) others.push(outcome as One);
    }
    return others;
  }

  /** @param isGone whether the ledger has the page no more */
  #strike({ pageId, left, ended }: HeldPage, deviceIds: Iterable<string>, isGone: boolean): void {
    for (const deviceId of deviceIds) {
      if (left === null) ended.add(deviceId);
      else left.delete(deviceId);
    }
    if (isGone) this.#known.delete(pageId);
  }

  /**
   * Ends pages that turned out to be complete: who is on them was read while the last outcomes were being written. Until the
   * ledger has such a page no more, it is known here: it would be taken for a new one otherwise.
   */
  async #endEmptied(pages: readonly PageOutcomes[], end: HeldEnd): Promise<void> {
    const emptied = pages.filter(({ page: { pageId, left } }) => left?.size === 0 && this.#known.has(pageId));
    if (emptied.length === 0) return;
    const complete = emptied.map(({ page }) => outcomesOf({ page, byDevice: new Map() }));
    await recordHeldOutcomes(this.database, complete, end, this.clock.now());
    for (const { page } of emptied) this.#known.delete(page.pageId);
  }

  #remember(page: HeldPage): void {
    if (this.#known.has(page.pageId)) return;
    const nowMs = performance.now();
    this.#known.set(page.pageId, { page, sinceMs: nowMs });
    for (const [pageId, { sinceMs }] of this.#known) {
      if (nowMs - sinceMs < (this.#known.size > MANY ? FORGOTTEN_OF_MANY_AFTER_MS : FORGOTTEN_AFTER_MS)) break;
      this.#known.delete(pageId);
    }
  }
}

/** In the order in which the ledger locks them. A device stands once on a page. */
function byPage(together: readonly Outcome[]): PageOutcomes[] {
  const pages = new Map<string, PageOutcomes>();
  for (const outcome of together) {
    const { page } = outcome.delivery;
    if (page === null) continue;
    let found = pages.get(page.pageId);
    if (found === undefined) pages.set(page.pageId, (found = { page, byDevice: new Map() }));
    found.byDevice.set(outcome.session.identity?.deviceId ?? '0', outcome);
  }
  return [...pages.values()].sort((one, other) => (keyOf(one) < keyOf(other) ? -1 : 1));
}

function keyOf({ page: { appId, messageId, pageId } }: PageOutcomes): string {
  return `${appId} ${messageId} ${pageId}`;
}

function outcomesOf({ page, byDevice }: PageOutcomes): HeldOutcomes {
  const { appId, messageId, pageId, left } = page;
  let open = left?.size ?? 1;
  const deviceIds: string[] = [];
  const times: number[] = [];
  for (const [deviceId, { at }] of byDevice) {
    deviceIds.push(deviceId);
    times.push(at.getTime());
    if (left?.has(deviceId)) open--;
  }
  return { appId, messageId, pageId, deviceIds, times, isComplete: open === 0 };
}
