import { Inject, Injectable } from '@nestjs/common';
import {
  type AudienceCount,
  type AudienceSelection,
  countAudience,
  type DevicesByVendor,
  groupAudiences,
  sampleAudience,
} from '@postrider/audience';
import type { SendResponse } from '@postrider/contracts';
import type { Clock, DeliveryVendor, MessageKind } from '@postrider/domain';
import { ApplicationsRepository, type Database, DATABASE, type Executor } from '@postrider/persistence';
import { CLOCK } from '@postrider/platform';
import { Foresight } from './foresight';
import type { MessageDraft } from './draft-message';
import { DraftMessages } from './draft-messages.service';
import { inSlices } from './in-slices';
import type { HeavyCaller } from '../../heavy-reads/heavy-caller';
import { HeavyReads, LOOK_LIMIT_MS } from '../../heavy-reads/heavy-reads.service';
import { checkSchedules } from './schedule-sends';
import type { ReceivedSend } from './send-body.pipe';

const SAMPLE_SIZE = 10;

/** What a send would do. */
export type SendPreview = SendResponse & Required<Pick<SendResponse, 'byVendor' | 'sample'>>;

/** Says what a send would reach, and sends and writes nothing. */
@Injectable()
export class PreviewMessages {
  constructor(
    @Inject(DATABASE) private readonly database: Database,
    @Inject(CLOCK) private readonly clock: Clock,
    private readonly draftMessages: DraftMessages,
    private readonly applications: ApplicationsRepository,
    private readonly heavyReads: HeavyReads,
  ) {}

  /** @throws InvalidRequest when a payload is too big for a vendor that a recipient uses; and what `HeavyReads` does */
  async preview({ messages }: ReceivedSend, caller: HeavyCaller, kind: MessageKind): Promise<SendPreview> {
    const { appId } = caller;
    const acceptedAt = this.clock.now();
    checkSchedules(messages, acceptedAt);
    const { sendings, drafts: named } = await this.draftMessages.draft(messages, { appId, kind, acceptedAt });
    const foresight = await Foresight.of(this.database, this.applications, appId);
    const drafts = await this.draftMessages.fillIn(named);
    return this.heavyReads.run(caller, { limitMs: LOOK_LIMIT_MS }, async (executor) => {
      const preview: SendPreview = { count: 0, byVendor: {}, sample: [] };
      await this.draftMessages.checkPayloads(executor, drafts);
      const counts = await countAll(
        executor,
        drafts.map(({ selection }) => selection),
      );
      for (const [index, sending] of sendings.entries()) {
        const draft = drafts[index] as MessageDraft;
        const counted = counts[index] as AudienceCount;
        await add(preview, draft, counted, executor);
        const span = foresight.spanOf(draft, sending, counted.count);
        if (span !== null) (preview.schedule ??= []).push(span);
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
    return { count: groups.reduce((sum, { devices }) => sum + devices, 0), byVendor };
  });
}

async function add(
  preview: SendPreview,
  { selection }: MessageDraft,
  { count, byVendor }: AudienceCount,
  executor: Executor,
): Promise<void> {
  preview.count += count;
  for (const [vendor, devices] of Object.entries(byVendor) as [DeliveryVendor, number][]) {
    preview.byVendor[vendor] = (preview.byVendor[vendor] ?? 0) + devices;
  }
  const wanted = SAMPLE_SIZE - preview.sample.length;
  if (wanted > 0 && count > 0) preview.sample.push(...(await sampleAudience(executor, selection, wanted)));
}
