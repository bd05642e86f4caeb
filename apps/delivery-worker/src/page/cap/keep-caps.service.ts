import { setTimeout as pause } from 'node:timers/promises';
import { Inject, Injectable } from '@nestjs/common';
import { capRoleOf, type Clock, FREQUENCY_CAPPED, MINUTE_MS } from '@postrider/domain';
import { ContactsRepository, type PageDevice } from '@postrider/persistence';
import { CLOCK, LOGGER, type Logger } from '@postrider/platform';
import type { PageRun } from '../run/page-run';

const LOOK_AGAIN_MS = 100;
/** No worker holds a page longer than this, unless it has lost the page or the vendor does not answer. */
const SETTLED_WITHIN_MS = 2 * MINUTE_MS;

/**
 * Keeps the frequency caps of an application just before a page is sent: skips the devices whose users have had enough
 * campaigns, and counts the message for the other users. A message that does not reach a user after all no longer
 * counts for them (`ContactsRepository`).
 */
@Injectable()
export class KeepCaps {
  /** The time since when each application is known to count everything. */
  readonly #settled = new Map<string, number>();

  constructor(
    private readonly contacts: ContactsRepository,
    @Inject(CLOCK) private readonly clock: Clock,
    @Inject(LOGGER) private readonly logger: Logger,
  ) {}

  /** Does nothing for a page that is not sent now, or whose message does not count. */
  async keep(run: PageRun): Promise<void> {
    const { content, lane, frequencyCaps, contactsSince } = run.page;
    if (contactsSince === null || !run.hasNext) return;
    const { isCounted, isCapped } = capRoleOf(lane, content);
    if (!isCounted) return;
    await this.#settle(run, contactsSince);
    if (!run.hasNext) return;
    const now = this.clock.now();
    const refused = await this.contacts.record({
      appId: run.key.appId,
      messageId: run.key.messageId,
      devices: run.waiting().flatMap(withUser),
      frequencyCaps,
      isCapped,
      since: contactsSince,
      now,
    });
    if (refused.size > 0) run.skip(({ id }) => (refused.has(id) ? FREQUENCY_CAPPED : null), now.getTime());
  }

  /** Waits for the pages that began before the application counted. */
  async #settle(run: PageRun, since: Date): Promise<void> {
    const { appId } = run.key;
    if (this.#settled.get(appId) === since.getTime()) return;
    const startedAt = performance.now();
    while (await this.contacts.isSettling(appId)) {
      if (!run.hasNext) return;
      if (performance.now() - startedAt > SETTLED_WITHIN_MS) {
        this.logger.warn({ appId }, 'caps.settle-gave-up');
        break;
      }
      await pause(LOOK_AGAIN_MS);
    }
    this.#settled.set(appId, since.getTime());
  }
}

function withUser({ id, userId }: PageDevice): { id: PageDevice['id']; userId: string }[] {
  return userId === null ? [] : [{ id, userId }];
}
