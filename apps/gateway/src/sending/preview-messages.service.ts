import { Inject, Injectable } from '@nestjs/common';
import { countAudience, type DevicesByVendor, sampleAudience, type SampledDevice } from '@postrider/audience';
import type { Clock, DeliveryVendor, MessageKind } from '@postrider/domain';
import { type Database, DATABASE } from '@postrider/persistence';
import { CLOCK } from '@postrider/platform';
import { draftMessage, type MessageDraft } from './draft-message';
import { fillInSegment } from './fill-in-segment';
import { PayloadLimits } from './payload-limits.service';
import type { ReceivedSend } from './send-body.pipe';

const SAMPLE_SIZE = 10;

/** What a send would do (operations, `dryRun`). */
export interface SendPreview {
  count: number;
  byVendor: DevicesByVendor;
  /** A few of the devices. */
  sample: SampledDevice[];
}

/** Says what a send would reach, and sends and writes nothing. */
@Injectable()
export class PreviewMessages {
  constructor(
    @Inject(DATABASE) private readonly database: Database,
    @Inject(CLOCK) private readonly clock: Clock,
    private readonly payloadLimits: PayloadLimits,
  ) {}

  /** @throws InvalidRequest when a payload is too big for a vendor that a recipient uses */
  async preview({ messages }: ReceivedSend, appId: string, kind: MessageKind): Promise<SendPreview> {
    const acceptedAt = this.clock.now();
    const preview: SendPreview = { count: 0, byVendor: {}, sample: [] };
    for (const message of messages) await this.#add(preview, draftMessage(message, { appId, kind, acceptedAt }));
    return preview;
  }

  async #add(preview: SendPreview, named: MessageDraft): Promise<void> {
    const draft = await fillInSegment(this.database, named);
    await this.payloadLimits.check(this.database, draft);
    const { count, byVendor } = await countAudience(this.database, draft.selection);
    preview.count += count;
    for (const [vendor, devices] of Object.entries(byVendor) as [DeliveryVendor, number][]) {
      preview.byVendor[vendor] = (preview.byVendor[vendor] ?? 0) + devices;
    }
    const wanted = SAMPLE_SIZE - preview.sample.length;
    if (wanted > 0 && count > 0) preview.sample.push(...(await sampleAudience(this.database, draft.selection, wanted)));
  }
}
