import { Inject, Injectable } from '@nestjs/common';
import { type AudienceGroup, groupAudiences } from '@postrider/audience';
import { type Edition, editionKey, type ErrorDetail, InvalidRequest } from '@postrider/domain';
import type { Executor } from '@postrider/persistence';
import { CONFIG, type Config } from '@postrider/platform';
import {
  LinkTracker,
  type PayloadExcess,
  payloadExcesses,
  platformOf,
  type RenderableApplication,
} from '@postrider/rendering';
import type { MessageDraft } from './draft-message';
import { inSlices } from '../../http/in-slices';
import { RecentApplications } from './recent-applications.service';

/** A message whose payload is too big for a vendor. */
interface TooBig {
  draft: MessageDraft;
  excesses: PayloadExcess[];
}

/** Refuses messages whose payload is too big for a vendor. */
@Injectable()
export class PayloadLimits {
  readonly #links: LinkTracker;

  constructor(
    @Inject(CONFIG) config: Config,
    private readonly applications: RecentApplications,
  ) {
    this.#links = new LinkTracker(config);
  }

  /**
   * @param drafts of one application
   * @throws InvalidRequest with the size and the limit of each vendor that a recipient uses and that would refuse its
   *   message
   */
  async check(executor: Executor, drafts: readonly MessageDraft[]): Promise<void> {
    const pushed = drafts.filter(({ selection: { reach } }) => reach === 'any' || reach === 'notify');
    const [first] = pushed;
    if (first === undefined) return;
    const application = await this.applications.find(executor, first.selection.appId);
    if (application === null) return;
    const measured = await inSlices(pushed, (draft) => ({ draft, excesses: this.#excessesOf(draft, application) }));
    const tooBig = measured.filter(({ excesses }) => excesses.length > 0);
    if (tooBig.length > 0) await refuse(executor, tooBig);
  }

  #excessesOf(
    { message, selection: { appId, channel } }: MessageDraft,
    application: RenderableApplication,
  ): PayloadExcess[] {
    return payloadExcesses({ ...message, channel }, application, (own) => this.#links.trackingOf(appId, own));
  }
}

/**
 * Throws if a recipient could get a message that is too big for its vendor. A connected device counts too: it may get
 * the message from its vendor later.
 */
async function refuse(executor: Executor, tooBig: readonly TooBig[]): Promise<void> {
  const audiences = await groupAudiences(
    executor,
    tooBig.map(({ draft }) => ({ ...draft.selection, reach: 'notify' })),
  );
  const details = tooBig.flatMap(({ draft, excesses }, place) => detailsOf(draft, excesses, audiences[place] ?? []));
  if (details.length > 0) throw new InvalidRequest(details, 'The message is too big');
}

/** Returns one detail for each vendor and edition: the largest payload that a device would get. */
function detailsOf(
  draft: MessageDraft,
  excesses: readonly PayloadExcess[],
  groups: readonly AudienceGroup[],
): ErrorDetail[] {
  const used = excesses.filter(({ vendor, platform }) =>
    groups.some((group) => group.vendor === vendor && isSent(platform, vendor, group.deviceType)),
  );
  const largest = new Map<string, PayloadExcess>();
  for (const excess of used) {
    const key = `${excess.vendor} ${editionKey(excess)}`;
    if (excess.bytes > (largest.get(key)?.bytes ?? 0)) largest.set(key, excess);
  }
  // A language without texts of its own is as big as the default, and nothing can be changed in it.
  const own = [...largest.values()].filter(
    ({ vendor, bytes, ...edition }) =>
      edition.language === null ||
      largest.get(`${vendor} ${editionKey({ ...edition, language: null })}`)?.bytes !== bytes,
  );
  return own.map(({ vendor, bytes, limit, ...edition }) => ({
    path: pathOf(draft, edition),
    message: `is too big for ${vendor}: ${bytes} bytes, the limit is ${limit} bytes`,
  }));
}

/** Returns the place of the content of an edition in the request; for the default edition it is the message itself. */
function pathOf({ path, message: { content } }: MessageDraft, { language, variant }: Edition): string {
  const place = content.variants?.findIndex(({ name }) => name === variant) ?? -1;
  const own = place < 0 ? content : content.variants?.[place];
  const isOwn = language !== null && own?.localized !== undefined && language in own.localized;
  const parts = [path, place < 0 ? '' : `variants[${place}]`, isOwn ? `localized.${language}` : ''];
  return parts.filter((part) => part !== '').join('.');
}

/**
 * True if devices of this type get the payload of this platform. Only FCM's payload depends on the type of a device.
 */
function isSent(platform: PayloadExcess['platform'], vendor: string, deviceType: string | null): boolean {
  return vendor !== 'fcm' || platformOf(deviceType) === platform;
}
