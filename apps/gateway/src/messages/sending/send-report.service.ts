import { Inject, Injectable } from '@nestjs/common';
import type { AcceptedMessage } from '@postrider/audience';
import type { MessageKind } from '@postrider/domain';
import { firstSpanOf, LOGGER, type Logger, type SpanPlace, Traces } from '@postrider/platform';
import type { MessageDraft } from './draft-message';

/** An accepted send, as it is reported to the operator. */
interface ReportedSend {
  appId: string;
  kind: MessageKind;
  /** The request's place among traces. */
  span?: SpanPlace | undefined;
  batchId?: string | undefined;
  /** Devices that the messages are sent to. */
  count: number;
  drafts: readonly MessageDraft[];
  /** The result of each draft, in the same order. */
  accepted: readonly AcceptedMessage[];
  /** From `performance.now()`. */
  startedAt: number;
}

/** Reports every accepted send to the operator: one log line, and the first span of each message's trace. */
@Injectable()
export class SendReport {
  constructor(
    @Inject(LOGGER) private readonly logger: Logger,
    private readonly traces: Traces,
  ) {}

  /** Call it when the messages are committed. */
  accepted(send: ReportedSend): void {
    const { appId, kind, batchId, count, drafts } = send;
    const messageId = drafts[0]?.message.id;
    this.logger.info({ appId, kind, messageId, batchId, messages: drafts.length, count }, 'message.accepted');
    if (this.traces.isOn) this.#trace(send);
  }

  #trace({ appId, kind, span, batchId: batch, drafts, accepted, startedAt }: ReportedSend): void {
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
