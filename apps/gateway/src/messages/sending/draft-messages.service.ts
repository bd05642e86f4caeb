import { Inject, Injectable } from '@nestjs/common';
import { measureAudience } from '@postrider/audience';
import type { SendRequest } from '@postrider/contracts';
import {
  ApplicationsRepository,
  type Database,
  DATABASE,
  type Executor,
  SegmentsRepository,
} from '@postrider/persistence';
import type { HeavyCaller } from '../../heavy-reads/heavy-caller';
import { HeavyReads, SEND_LIMIT_MS } from '../../heavy-reads/heavy-reads.service';
import { draftMessage, type DraftOrigin, type MessageDraft } from './draft-message';
import { fillInSegments } from './fill-in-segment';
import { inSlices } from './in-slices';
import { PayloadLimits } from './payload-limits.service';
import { type ScheduledSend, scheduleSends } from './schedule-sends';

/** Drafts the messages of a request, and measures what they hold and whom they reach, before they are accepted. */
@Injectable()
export class DraftMessages {
  constructor(
    @Inject(DATABASE) private readonly database: Database,
    private readonly heavyReads: HeavyReads,
    private readonly payloadLimits: PayloadLimits,
    private readonly applications: ApplicationsRepository,
    private readonly segments: SegmentsRepository,
  ) {}

  /** Drafts messages in their order. @returns also when each begins */
  async draft(
    messages: readonly SendRequest[],
    origin: DraftOrigin,
  ): Promise<{ sendings: ScheduledSend[]; drafts: MessageDraft[] }> {
    const { appId, acceptedAt } = origin;
    const sendings = await scheduleSends(this.database, this.applications, messages, appId, acceptedAt);
    const drafts = await inSlices(messages, (message, index) =>
      draftMessage(message, origin, sendings[index] as ScheduledSend),
    );
    return { sendings, drafts };
  }

  /** @throws InvalidRequest when the payload of a message to named users is too big for a vendor that one of them uses */
  checkPayloads(executor: Executor, drafts: readonly MessageDraft[]): Promise<void> {
    return this.payloadLimits.check(executor, drafts);
  }

  /** Gives drafts that name a saved segment its rules. @throws InvalidRequest when there is no such segment */
  fillIn(drafts: readonly MessageDraft[]): Promise<MessageDraft[]> {
    return fillInSegments(this.segments, drafts);
  }

  /**
   * Counts the audiences of messages that name nobody: no transaction waits for a count.
   *
   * @returns the drafts in their order, those that name nobody with their saved segments and the sizes of their audiences
   * @throws InvalidRequest for an unknown saved segment, or a payload that is too big for a vendor that a recipient uses; and
   *   what `HeavyReads` does
   */
  async measure(drafts: readonly MessageDraft[], caller: HeavyCaller): Promise<MessageDraft[]> {
    const filled = await this.fillIn(drafts);
    return this.heavyReads.run(caller, { limitMs: SEND_LIMIT_MS }, async (executor) => {
      await this.payloadLimits.check(executor, filled.filter(namesNobody));
      const measured: MessageDraft[] = [];
      for (const draft of filled) {
        measured.push(
          namesNobody(draft) ? { ...draft, measure: await measureAudience(executor, draft.selection) } : draft,
        );
      }
      return measured;
    });
  }
}

/** Whether counting a message's audience may look at any number of devices. */
export function namesNobody({ selection }: MessageDraft): boolean {
  return selection.who.kind !== 'users';
}
