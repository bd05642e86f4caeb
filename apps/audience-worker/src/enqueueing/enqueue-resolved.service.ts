import { Injectable } from '@nestjs/common';
import type { DueOutcome } from '@postrider/audience';
import { Enqueuer, EdgeHints } from '@postrider/queues';

/** The pages of a message, and the edges that hold connections of its devices. */
type Written = Pick<DueOutcome['resolved'][number], 'messageId' | 'lane' | 'pages' | 'edges'>;

/** Enqueues the work that follows when messages are resolved. */
@Injectable()
export class EnqueueResolved {
  constructor(
    private readonly enqueuer: Enqueuer,
    private readonly edgeHints: EdgeHints,
  ) {}

  /** Enqueues the pages, and tells the edges that hold connections. */
  async pages(appId: string, resolved: readonly Written[]): Promise<void> {
    for (const { edges, messageId } of resolved) this.edgeHints.tell(edges, messageId);
    await this.enqueuer.enqueuePages(
      resolved.flatMap(({ messageId, lane, pages }) => pages.map((page) => ({ ...page, appId, messageId, lane }))),
    );
  }

  /**
   * Enqueues one job for each message.
   *
   * @returns true if all of them are enqueued
   */
  messages(appId: string, messageIds: readonly string[]): Promise<boolean> {
    return this.enqueuer.enqueueMessages(messageIds.map((messageId) => ({ appId, messageId })));
  }
}
