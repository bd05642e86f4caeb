import { Inject, Injectable } from '@nestjs/common';
import { type AudienceGroup, groupAudiences, measureAudience } from '@postrider/audience';
import { type Edition, editionKey, type ErrorDetail, InvalidRequest } from '@postrider/domain';
import {
  ApplicationsRepository,
  type Database,
  DATABASE,
  type Executor,
  SegmentsRepository,
} from '@postrider/persistence';
import { CONFIG, type Config } from '@postrider/platform';
import {
  LinkTracker,
  type PayloadExcess,
  payloadExcesses,
  platformOf,
  type RenderableApplication,
} from '@postrider/rendering';
import type { ValidatedSend } from '@postrider/contracts';
import { type HeavyCaller, HeavyReads, SEND_LIMIT_MS } from '../../heavy-reads/heavy-reads.service';
import { fillInSavedRules } from '../../segments/saved-rules';
import { draftMessage, type DraftOrigin, type MessageDraft, type ScheduledSend, scheduleSends } from './draft-message';
import { inSlices } from '../../http/in-slices';
import { RecentApplications } from './recent-applications.service';

const MOST_DETAILS = 1_000;

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
  if (details.length > 0) throw new InvalidRequest(details.slice(0, MOST_DETAILS), 'The message is too big');
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

  /** @throws InvalidRequest if the payload of a message is too big for a vendor that a recipient uses */
  checkPayloads(executor: Executor, drafts: readonly MessageDraft[]): Promise<void> {
    return this.payloadLimits.check(executor, drafts);
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

  /** Adds the rules to drafts that name a saved segment. @throws InvalidRequest if there is no such segment */
  fillIn(drafts: readonly MessageDraft[]): Promise<MessageDraft[]> {
    return fillInSegments(this.segments, drafts);
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

/**
 * Copies the rules of saved segments into the messages that name them: later changes of a segment do not change the
 * messages.
 * @throws InvalidRequest if there is no such segment
 */
async function fillInSegments(segments: SegmentsRepository, drafts: readonly MessageDraft[]): Promise<MessageDraft[]> {
  const filled: MessageDraft[] = [];
  for (const draft of drafts) {
    const { selection } = draft;
    const { appId, who } = selection;
    const rules = who.kind === 'rules' ? await fillInSavedRules(segments, appId, who) : who;
    filled.push(rules === who ? draft : { ...draft, selection: { ...selection, who: rules } });
  }
  return filled;
}
