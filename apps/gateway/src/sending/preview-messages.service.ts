import { Inject, Injectable } from '@nestjs/common';
import { countAudience, type DevicesByVendor, sampleAudience, type SampledDevice } from '@postrider/audience';
import type { SendRequest } from '@postrider/contracts';
import type { Clock, DeliveryVendor, MessageKind } from '@postrider/domain';
import { type Database, DATABASE } from '@postrider/persistence';
import { CLOCK } from '@postrider/platform';
import { draftMessage, type MessageDraft } from './draft-message';
import { fillInSegment } from './fill-in-segment';
import { PayloadLimits } from './payload-limits.service';
import { checkSchedules, type ScheduledSend, scheduleSends } from './schedule-sends';
import type { ReceivedSend } from './send-body.pipe';

const SAMPLE_SIZE = 10;

/** What a send would do (operations, `dryRun`). */
export interface SendPreview {
  count: number;
  byVendor: DevicesByVendor;
  /** A few of the devices. */
  sample: SampledDevice[];
  /** Of messages that are scheduled or have a rate: when the first and the last device may get it. */
  schedule?: SendSpan[];
}

/** From when to when a message goes out. */
export interface SendSpan {
  firstAt: string;
  lastAt: string;
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
    checkSchedules(messages, acceptedAt);
    const sendings = await scheduleSends(this.database, messages, appId, acceptedAt);
    for (const [index, sending] of sendings.entries()) {
      const message = messages[index] as SendRequest;
      const count = await this.#add(preview, draftMessage(message, { appId, kind, acceptedAt }, sending));
      if (sending.schedule) (preview.schedule ??= []).push(spanOf(sending, count));
    }
    return preview;
  }

  /** @returns how many devices the message reaches */
  async #add(preview: SendPreview, named: MessageDraft): Promise<number> {
    const draft = await fillInSegment(this.database, named);
    await this.payloadLimits.check(this.database, draft);
    const { count, byVendor } = await countAudience(this.database, draft.selection);
    preview.count += count;
    for (const [vendor, devices] of Object.entries(byVendor) as [DeliveryVendor, number][]) {
      preview.byVendor[vendor] = (preview.byVendor[vendor] ?? 0) + devices;
    }
    const wanted = SAMPLE_SIZE - preview.sample.length;
    if (wanted > 0 && count > 0) preview.sample.push(...(await sampleAudience(this.database, draft.selection, wanted)));
    return count;
  }
}

function spanOf({ firstAt, lastAt, schedule }: ScheduledSend, count: number): SendSpan {
  const takesMs = schedule?.rate === undefined ? 0 : Math.ceil((count * 1_000) / schedule.rate);
  const lastOfPace = new Date(firstAt.getTime() + takesMs);
  return { firstAt: firstAt.toISOString(), lastAt: (lastOfPace > lastAt ? lastOfPace : lastAt).toISOString() };
}
