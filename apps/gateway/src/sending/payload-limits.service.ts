import { Injectable } from '@nestjs/common';
import { countAudience } from '@postrider/audience';
import { InvalidRequest, PUSH_VENDORS, type PushVendor } from '@postrider/domain';
import { type Application, type Executor, findApplication } from '@postrider/persistence';
import { createRenderer, leastContent, type Platform, VENDOR_LIMITS } from '@postrider/rendering';
import type { MessageDraft } from './draft-message';

/** No vendor's payload of so little content comes near its limit, so most messages need no rendering here. */
const SURELY_SMALL_BYTES = 1_000;
const PLATFORMS: readonly Platform[] = ['android', 'ios', 'web'];

/** A vendor that would not take a payload. */
interface Excess {
  vendor: PushVendor;
  bytes: number;
  limit: number;
}

/**
 * Refuses messages whose payload a vendor would not take (decisions, Payload limits). Of a personal message only what is too
 * big for everybody: the delivery worker measures what each device gets.
 */
@Injectable()
export class PayloadLimits {
  /** @throws InvalidRequest with the size and the limit of each vendor that a recipient uses and that would refuse it */
  async check(executor: Executor, draft: MessageDraft): Promise<void> {
    const { message, selection, path } = draft;
    if (Buffer.byteLength(JSON.stringify(message.content)) <= SURELY_SMALL_BYTES) return;
    const application = await findApplication(executor, selection.appId);
    const excesses = application ? excessesOf(draft, application) : [];
    if (excesses.length === 0) return;
    const { byVendor } = await countAudience(executor, selection);
    const details = excesses
      .filter(({ vendor }) => (byVendor[vendor] ?? 0) > 0)
      .map(({ vendor, bytes, limit }) => ({
        path,
        message: `is too big for ${vendor}: ${bytes} bytes, the limit is ${limit} bytes`,
      }));
    if (details.length > 0) throw new InvalidRequest(details, 'The message is too big');
  }
}

function excessesOf({ message, selection }: MessageDraft, application: Application): Excess[] {
  const content = leastContent(message.content);
  const renderer = createRenderer({ ...message, content, channel: selection.channel }, application);
  return PUSH_VENDORS.map((vendor) => ({
    vendor,
    bytes: Math.max(...PLATFORMS.map((platform) => renderer.measure(vendor, platform))),
    limit: VENDOR_LIMITS[vendor],
  })).filter(({ bytes, limit }) => bytes > limit);
}
