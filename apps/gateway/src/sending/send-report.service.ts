import { Inject, Injectable } from '@nestjs/common';
import type { AcceptedMessage } from '@postrider/audience';
import { firstSpanOf, LOGGER, type Logger, Traces } from '@postrider/platform';
import type { AcceptedSend, SendOrigin } from './accept-messages.service';
import type { MessageDraft } from './draft-message';

/** What was accepted, message by message. */
export interface AcceptedDrafts {
  drafts: readonly MessageDraft[];
  /** What came of each draft, in the same order. */
  accepted: readonly AcceptedMessage[];
  /** From `performance.now()`. */
  startedAt: number;
}

/** Tells the operator of every accepted send: one line, and the first span of each message's trace. */
@Injectable()
export class SendReport {
  constructor(
    @Inject(LOGGER) private readonly logger: Logger,
    private readonly traces: Traces,
  ) {}

  accepted(origin: SendOrigin, { count, messageIds, batchId }: AcceptedSend, all: AcceptedDrafts): void {
    const { appId, kind } = origin;
    const messages = all.drafts.length;
    this.logger.info({ appId, kind, messageId: messageIds[0], batchId, messages, count }, 'message.accepted');
    if (this.traces.isOn) this.#trace(origin, batchId, all);
  }

  #trace(
    { appId, kind, span }: SendOrigin,
    batch: string | undefined,
    { drafts, accepted, startedAt }: AcceptedDrafts,
  ): void {
    const links = span === undefined ? [] : [span];
    drafts.forEach(({ message: { id, lane } }, index) => {
      const { count, pages, needsResolving } = accepted[index] as AcceptedMessage;
      this.traces.record({
        name: 'accept message',
        place: { first: firstSpanOf(id) },
        links,
        startedAt,
        facts: {
          application: appId,
          message: id,
          kind,
          lane,
          batch,
          devices: count,
          pages: pages.length,
          needsResolving,
        },
      });
    });
  }
}
