import { Inject, Injectable } from '@nestjs/common';
import { measureAudience } from '@postrider/audience';
import {
  ApplicationsRepository,
  type Database,
  DATABASE,
  type Executor,
  SegmentsRepository,
} from '@postrider/persistence';
import type { ValidatedSend } from '@postrider/contracts';
import { type HeavyCaller, HeavyReads, SEND_LIMIT_MS } from '../../heavy-reads/heavy-reads.service';
import { fillInSavedRules } from '../../segments/saved-rules';
import { draftMessage, type DraftOrigin, type MessageDraft, type ScheduledSend, scheduleSends } from './draft-message';
import { inSlices } from '../../http/in-slices';
import { PayloadLimits } from './payload-limits.service';
import { RecentApplications } from './recent-applications.service';

/** Drafts the messages of a request, checks their payloads and counts their audiences, before they are accepted. */
@Injectable()
export class DraftMessages {
  constructor(
    @Inject(DATABASE) private readonly database: Database,
    private readonly heavyReads: HeavyReads,
    private readonly payloadLimits: PayloadLimits,
    private readonly recentApplications: RecentApplications,
    private readonly applications: ApplicationsRepository,
    private readonly segments: SegmentsRepository,
  ) {}

  /** Drafts messages in their order. @returns the drafts, and when each message begins */
  async draft(
    messages: readonly ValidatedSend[],
    origin: DraftOrigin,
  ): Promise<{ sendings: ScheduledSend[]; drafts: MessageDraft[] }> {
    const { appId, acceptedAt } = origin;
    const sendings = await scheduleSends(this.database, this.applications, messages, appId, acceptedAt);
    const namesUsers = messages.some(({ recipients }) => recipients.kind === 'users');
    const application = namesUsers ? await this.recentApplications.find(this.database, appId) : null;
    const quietHours = application?.quietHours ?? null;
    const drafts = await inSlices(messages, (message, index) =>
      draftMessage(message, { ...origin, quietHours }, sendings[index] as ScheduledSend),
    );
    return { sendings, drafts };
  }

  /**
   * Checks the payloads of the messages that were not measured: measuring includes this check.
   * @throws InvalidRequest if a payload is too big for a vendor that a recipient uses
   */
  checkPayloads(executor: Executor, drafts: readonly MessageDraft[]): Promise<void> {
    return this.payloadLimits.check(
      executor,
      drafts.filter(({ measure }) => !measure),
    );
  }

  /**
   * Like `checkPayloads`, for one message to any audience.
   * @throws what `HeavyReads` throws, for a message that names no users
   */
  checkPayload(draft: MessageDraft, caller: HeavyCaller): Promise<void> {
    if (!namesNobody(draft)) return this.payloadLimits.check(this.database, [draft]);
    return this.heavyReads.run(caller, { limitMs: SEND_LIMIT_MS }, (executor) =>
      this.payloadLimits.check(executor, [draft]),
    );
  }

  /**
   * Copies the rules of saved segments into the drafts that name them: later changes of a segment do not change the
   * messages.
   * @throws InvalidRequest if there is no such segment
   */
  async fillIn(drafts: readonly MessageDraft[]): Promise<MessageDraft[]> {
    const filled: MessageDraft[] = [];
    for (const draft of drafts) {
      const { selection } = draft;
      const { appId, who } = selection;
      const rules = who.kind === 'rules' ? await fillInSavedRules(this.segments, appId, who) : who;
      filled.push(rules === who ? draft : { ...draft, selection: { ...selection, who: rules } });
    }
    return filled;
  }

  /**
   * Counts the audiences of messages that name no users. It is called before a transaction begins, so that no
   * transaction waits for a count.
   * @returns the drafts in their order; those that name no users have the rules of their saved segments and the sizes
   *   of their audiences
   * @throws InvalidRequest for an unknown saved segment, or for a payload that is too big for a vendor that a recipient
   *   uses; and what `HeavyReads` throws
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

/** True if a message names no users: counting its audience may read any number of devices. */
export function namesNobody({ selection }: MessageDraft): boolean {
  return selection.who.kind !== 'users';
}
