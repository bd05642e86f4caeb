import { Inject, Injectable } from '@nestjs/common';
import { measureAudience } from '@postrider/audience';
import { type Database, DATABASE, type Executor } from '@postrider/persistence';
import type { HeavyCaller } from '../heavy-reads/heavy-caller';
import { HeavyReads, SEND_LIMIT_MS } from '../heavy-reads/heavy-reads.service';
import type { MessageDraft } from './draft-message';
import { fillInSegments } from './fill-in-segment';
import { PayloadLimits } from './payload-limits.service';

/** Counts the audiences of messages that name nobody, before they are accepted: no transaction waits for a count. */
@Injectable()
export class MeasureDrafts {
  constructor(
    @Inject(DATABASE) private readonly database: Database,
    private readonly heavyReads: HeavyReads,
    private readonly payloadLimits: PayloadLimits,
  ) {}

  /** @throws InvalidRequest when the payload of a message to named users is too big for a vendor that one of them uses */
  checkPayloads(executor: Executor, drafts: readonly MessageDraft[]): Promise<void> {
    return this.payloadLimits.check(executor, drafts);
  }

  /**
   * @returns the drafts in their order, those that name nobody with their saved segments and the sizes of their audiences
   * @throws InvalidRequest for an unknown saved segment, or a payload that is too big for a vendor that a recipient uses; and
   *   what `HeavyReads` does
   */
  async measure(drafts: readonly MessageDraft[], caller: HeavyCaller): Promise<MessageDraft[]> {
    const filled = await fillInSegments(this.database, drafts);
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
