import {
  type AudienceCount,
  type AudienceSelection,
  countAudience,
  type DevicesByVendor,
  groupAudiences,
  listTimeZones,
  planZones,
  sampleAudience,
  type ZonePlan,
} from '@postrider/audience';
import type { SendResponse, SendSpanResponse } from '@postrider/contracts';
import {
  type Clock,
  type DeliveryVendor,
  firstTimeZone,
  isTimeZone,
  keepsQuietHours,
  type MessageKind,
  type QuietHours,
  quietUntil,
} from '@postrider/domain';
import { ApplicationsRepository, type Database, DATABASE, type Executor } from '@postrider/persistence';
import { Inject, Injectable } from '@nestjs/common';
import { CLOCK } from '@postrider/platform';
import { type HeavyCaller, HeavyReads, LOOK_LIMIT_MS } from '../../heavy-reads/heavy-reads.service';
import { SavedDrafts } from '../../drafts/saved-drafts.service';
import { checkExpectedCounts, checkSchedules, type MessageDraft, type ScheduledSend } from './draft-message';
import { DraftMessages } from './draft-messages.service';
import { inSlices } from './in-slices';
import type { ReceivedSend } from './send-body.pipe';

/** Where an application's devices are, and when they are left alone. */
interface ApplicationTimes {
  quietHours: QuietHours | null;
  defaultTimeZone: string | null;
  /** Every time zone that a device may be in, the default first. */
  zones: readonly string[];
}

/** Says when messages of an application would go out, as far as that is known now. */
class Foresight {
  private constructor(private readonly times: ApplicationTimes) {}

  static async of(database: Database, applications: ApplicationsRepository, appId: string): Promise<Foresight> {
    const application = await applications.find(database, appId);
    const { quietHours = null, defaultTimeZone = null } = application ?? {};
    const needsZones = quietHours?.timeZone === 'device';
    const zones = needsZones ? (await listTimeZones(database, appId)).filter(isTimeZone) : [];
    return new Foresight({ quietHours, defaultTimeZone, zones: [firstTimeZone(defaultTimeZone), ...zones] });
  }

  /** @returns null of a message that goes out at once, as fast as can be */
  spanOf(draft: MessageDraft, sending: ScheduledSend, count: number): SendSpanResponse | null {
    const takesMs = sending.schedule?.rate === undefined ? 0 : Math.ceil((count * 1_000) / sending.schedule.rate);
    const quietHours = this.#keptBy(draft);
    if (quietHours === null) return sending.schedule === undefined ? null : plainSpan(sending, takesMs);
    const plans = this.#plansOf(draft, sending, quietHours);
    if (sending.schedule === undefined && plans.every(({ due }) => due === null)) return null;
    const going = plans.filter(({ isLate }) => !isLate);
    if (going.length === 0) return { firstAt: null, lastAt: null };
    const firsts = going.map(({ due, starts }) => due ?? starts ?? sending.firstAt);
    const lasts = firsts.map((first, place) => {
      const end = first.getTime() + takesMs;
      return quietUntil(quietHours, zoneOf(going[place], this.times), end) ?? end;
    });
    return { firstAt: isoOf(Math.min(...firsts.map(Number))), lastAt: isoOf(Math.max(...lasts)) };
  }

  /** Quiet hours are of no concern to `live`, and to who ignores them. */
  #keptBy({ message: { lane, schedule }, selection: { reach } }: MessageDraft): QuietHours | null {
    const { quietHours } = this.times;
    if (reach === 'live' || schedule?.ignoreQuietHours === true) return null;
    return keepsQuietHours(quietHours, lane) ? quietHours : null;
  }

  #plansOf(
    { message, selection }: MessageDraft,
    { firstAt, schedule }: ScheduledSend,
    quietHours: QuietHours,
  ): ZonePlan[] {
    const course = {
      lane: message.lane,
      reach: selection.reach,
      acceptedAt: schedule?.localTime === undefined ? firstAt : message.acceptedAt,
      expiresAt: message.expiresAt,
      rate: schedule?.rate ?? null,
      devicesPerSecond: null,
      localTime: schedule?.localTime ?? null,
      ttlSeconds: schedule?.ttlSeconds ?? null,
      quietHours,
      defaultTimeZone: this.times.defaultTimeZone,
    };
    return planZones(course, this.times.zones, firstAt);
  }
}

function plainSpan({ firstAt, lastAt }: ScheduledSend, takesMs: number): SendSpanResponse {
  return { firstAt: firstAt.toISOString(), lastAt: isoOf(Math.max(lastAt.getTime(), firstAt.getTime() + takesMs)) };
}

function zoneOf(plan: ZonePlan | undefined, { defaultTimeZone }: ApplicationTimes): string {
  return firstTimeZone(plan?.zone, defaultTimeZone);
}

function isoOf(moment: number): string {
  return new Date(moment).toISOString();
}

const SAMPLE_SIZE = 10;

/** What a send would do. */
type SendPreview = SendResponse & Required<Pick<SendResponse, 'byVendor' | 'sample'>>;

/** Says what a send would reach, and sends and writes nothing. */
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
   * @throws InvalidRequest when a payload is too big for a vendor that a recipient uses; DomainError AUDIENCE_CHANGED and
   *   EDIT_CONFLICT as a send does; and what `HeavyReads` does
   */
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
      checkExpectedCounts(drafts, counts);
      await this.savedDrafts.check(appId, messages);
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
