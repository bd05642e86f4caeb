import {
  type AudienceCount,
  type AudienceSelection,
  countAudience,
  countByTimeZone,
  type DevicesByVendor,
  groupAudiences,
  sampleAudience,
} from '@postrider/audience';
import type { SendResponse } from '@postrider/contracts';
import type { Clock, DeliveryVendor, MessageKind } from '@postrider/domain';
import { ApplicationsRepository, type Database, DATABASE, type Executor } from '@postrider/persistence';
import { Inject, Injectable } from '@nestjs/common';
import { CLOCK } from '@postrider/platform';
import { type HeavyCaller, HeavyReads, LOOK_LIMIT_MS } from '../../heavy-reads/heavy-reads.service';
import { SavedDrafts } from '../../drafts/saved-drafts.service';
import { checkExpectedCounts, checkSchedules, type MessageDraft } from './draft-message';
import { DraftMessages } from './draft-messages.service';
import { inSlices } from '../../http/in-slices';
import { languagesOf } from './send-languages';
import { SendTimes } from './send-times';
import { warningsOf } from './send-warnings';
import type { ReceivedSend } from './send-body.pipe';

/** The most devices that a dry run names. */
const SAMPLE_SIZE = 10;

/** The result of a dry run. */
type SendPreview = SendResponse & Required<Pick<SendResponse, 'byVendor' | 'sample'>>;

/** Computes what a send would reach; sends and writes nothing. */
@Injectable()
export class PreviewMessages {
  constructor(
    @Inject(DATABASE) private readonly database: Database,
    @Inject(CLOCK) private readonly clock: Clock,
    private readonly draftMessages: DraftMessages,
    private readonly applications: ApplicationsRepository,
    private readonly heavyReads: HeavyReads,
    private readonly savedDrafts: SavedDrafts,
  ) {}

  /**
   * @throws InvalidRequest if a payload is too big for a vendor that a recipient uses; DomainError AUDIENCE_CHANGED and
   *   EDIT_CONFLICT as for a send; and what `HeavyReads` throws
   */
  async preview(received: ReceivedSend, caller: HeavyCaller, kind: MessageKind): Promise<SendPreview> {
    const { messages } = received;
    const { appId } = caller;
    const warnings = await warningsOf(received);
    const acceptedAt = this.clock.now();
    checkSchedules(messages, acceptedAt);
    const { sendings, drafts: named } = await this.draftMessages.draft(messages, { appId, kind, acceptedAt });
    const sendTimes = await SendTimes.of(this.database, this.applications, appId);
    const drafts = await this.draftMessages.fillIn(named);
    return this.heavyReads.run(caller, { limitMs: LOOK_LIMIT_MS }, async (executor) => {
      const preview: SendPreview = { count: 0, byVendor: {}, sample: [], ...warnings };
      await this.draftMessages.checkPayloads(executor, drafts);
      const counts = await countAll(
        executor,
        drafts.map(({ selection }) => selection),
      );
      checkExpectedCounts(drafts, counts);
      await this.savedDrafts.check(appId, messages);
      for (const [index, sending] of sendings.entries()) {
        const draft = drafts[index] as MessageDraft;
        const counted = counts[index] as AudienceCount;
        await add(preview, draft, counted, executor);
        const isKnown = drafts.length === 1 && sendTimes.dependsOnZones(draft);
        const zones = isKnown ? await countByTimeZone(executor, draft.selection) : null;
        const span = sendTimes.spanOf(draft, sending, { count: counted.count, zones });
        if (span !== null) (preview.schedule ??= []).push(span);
        const caps = sendTimes.capsOf(draft);
        if (caps.length > 0)
          preview.frequencyCaps = caps.map(({ messages: most, seconds }) => ({ messages: most, seconds }));
      }
      if (drafts.length === 1) {
        const { waiting } = counts[0] as AudienceCount;
        if (waiting.length > 0) preview.waitingForVendors = waiting;
        Object.assign(preview, await languagesOf(drafts[0] as MessageDraft, executor));
      }
      return preview;
    });
  }
}

async function countAll(executor: Executor, selections: readonly AudienceSelection[]): Promise<AudienceCount[]> {
  const [only] = selections;
  if (only && selections.length === 1) return [await countAudience(executor, only)];
  const audiences = await groupAudiences(executor, selections);
  return inSlices(audiences, (groups) => {
    const byVendor: DevicesByVendor = {};
    for (const { vendor, devices } of groups) byVendor[vendor] = (byVendor[vendor] ?? 0) + devices;
    return { count: groups.reduce((sum, { devices }) => sum + devices, 0), byVendor, waiting: [], examples: [] };
  });
}

async function add(
  preview: SendPreview,
  { selection }: MessageDraft,
  { count, byVendor, examples }: AudienceCount,
  executor: Executor,
): Promise<void> {
  preview.count += count;
  for (const [vendor, devices] of Object.entries(byVendor) as [DeliveryVendor, number][]) {
    preview.byVendor[vendor] = (preview.byVendor[vendor] ?? 0) + devices;
  }
  const wanted = SAMPLE_SIZE - preview.sample.length;
  if (wanted > 0 && count > 0) preview.sample.push(...(await sampleAudience(executor, selection, wanted, examples)));
}
