import { Inject, Injectable } from '@nestjs/common';
import { type AudienceGroup, groupAudiences } from '@postrider/audience';
import { type Clock, type ErrorDetail, InvalidRequest } from '@postrider/domain';
import { ApplicationsRepository, type Executor } from '@postrider/persistence';
import { CLOCK, CONFIG, type Config, createExpiringCache } from '@postrider/platform';
import {
  LinkTracker,
  type PayloadExcess,
  payloadExcesses,
  platformOf,
  type RenderableApplication,
} from '@postrider/rendering';
import type { LRUCache } from 'lru-cache';
import type { MessageDraft } from './draft-message';
import { inSlices } from './in-slices';

/** An application's texts change rarely; what is sent after a change is measured again by the delivery worker. */
const REMEMBERED_MS = 4_000;
const KNOWN_APPLICATIONS = 5_000;
const MOST_DETAILS = 1_000;

/** A message that some vendor would not take. */
interface TooBig {
  draft: MessageDraft;
  excesses: PayloadExcess[];
}

/** Refuses messages whose payload a vendor would not take. */
@Injectable()
export class PayloadLimits {
  readonly #remembered: LRUCache<string, RenderableApplication>;
  readonly #links: LinkTracker;

  constructor(
    @Inject(CLOCK) private readonly clock: Clock,
    @Inject(CONFIG) config: Config,
    private readonly applications: ApplicationsRepository,
  ) {
    this.#links = new LinkTracker(config);
    this.#remembered = createExpiringCache(clock, KNOWN_APPLICATIONS, REMEMBERED_MS);
  }

  /**
   * @param drafts of one application
   * @throws InvalidRequest with the size and the limit of each vendor that a recipient uses and that would refuse its message
   */
  async check(executor: Executor, drafts: readonly MessageDraft[]): Promise<void> {
    const pushed = drafts.filter(({ selection: { reach } }) => reach === 'any' || reach === 'notify');
    const [first] = pushed;
    if (first === undefined) return;
    const application = await this.#applicationOf(executor, first.selection.appId);
    if (application === null) return;
    const measured = await inSlices(pushed, (draft) => ({ draft, excesses: this.#excessesOf(draft, application) }));
    const tooBig = measured.filter(({ excesses }) => excesses.length > 0);
    if (tooBig.length > 0) await refuse(executor, tooBig);
  }

  #excessesOf(
    { message, selection: { appId, channel } }: MessageDraft,
    application: RenderableApplication,
  ): PayloadExcess[] {
    return payloadExcesses({ ...message, channel }, application, this.#links.trackingOf(appId, message));
  }

  async #applicationOf(executor: Executor, appId: string): Promise<RenderableApplication | null> {
    const known = this.#remembered.get(appId);
    if (known) return known;
    const start = this.clock.now().getTime();
    const application = await this.applications.find(executor, appId);
    if (application) this.#remembered.set(appId, application, { start });
    return application;
  }
}

/** A device that is connected now may get the message from its vendor later: what it could use counts. */
async function refuse(executor: Executor, tooBig: readonly TooBig[]): Promise<void> {
  const audiences = await groupAudiences(
    executor,
    tooBig.map(({ draft }) => ({ ...draft.selection, reach: 'notify' })),
  );
  const details = tooBig.flatMap(({ draft, excesses }, place) =>
    detailsOf(draft.path, excesses, audiences[place] ?? []),
  );
  if (details.length > 0) throw new InvalidRequest(details.slice(0, MOST_DETAILS), 'The message is too big');
}

/** One detail for each vendor: its largest variant that a device would get. */
function detailsOf(path: string, excesses: readonly PayloadExcess[], groups: readonly AudienceGroup[]): ErrorDetail[] {
  const used = excesses.filter(({ vendor, platform }) =>
    groups.some((group) => group.vendor === vendor && isSent(platform, vendor, group.deviceType)),
  );
  const largest = new Map<string, PayloadExcess>();
  for (const excess of used) {
    if (excess.bytes > (largest.get(excess.vendor)?.bytes ?? 0)) largest.set(excess.vendor, excess);
  }
  return [...largest.values()].map(({ vendor, bytes, limit }) => ({
    path,
    message: `is too big for ${vendor}: ${bytes} bytes, the limit is ${limit} bytes`,
  }));
}

/** Only FCM's payload depends on the kind of device. */
function isSent(platform: PayloadExcess['platform'], vendor: string, deviceType: string | null): boolean {
  return vendor !== 'fcm' || platformOf(deviceType) === platform;
}
