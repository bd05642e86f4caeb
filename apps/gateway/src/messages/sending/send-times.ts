import { listTimeZones, planZones, type ZonePlan } from '@postrider/audience';
import type { SendSpanResponse } from '@postrider/contracts';
import {
  capRoleOf,
  firstTimeZone,
  type FrequencyCap,
  isTimeZone,
  keepsQuietHours,
  type QuietHours,
  quietUntil,
} from '@postrider/domain';
import type { ApplicationsRepository, Database } from '@postrider/persistence';
import type { MessageDraft, ScheduledSend } from './draft-message';

/** The time zones of an application's devices, its quiet hours, and its frequency caps. */
interface ApplicationTimes {
  frequencyCaps: readonly FrequencyCap[];
  quietHours: QuietHours | null;
  defaultTimeZone: string | null;
  /** Every time zone that a device may be in; the default is the first. */
  zones: readonly string[];
}

/** Computes when messages of an application would leave, as far as that is known now. */
export class SendTimes {
  private constructor(private readonly times: ApplicationTimes) {}

  static async of(database: Database, applications: ApplicationsRepository, appId: string): Promise<SendTimes> {
    const application = await applications.find(database, appId);
    const { quietHours = null, defaultTimeZone = null, frequencyCaps = [] } = application ?? {};
    const needsZones = quietHours?.timeZone === 'device';
    const zones = needsZones ? (await listTimeZones(database, appId)).filter(isTimeZone) : [];
    const times = { frequencyCaps, quietHours, defaultTimeZone };
    return new SendTimes({ ...times, zones: [firstTimeZone(defaultTimeZone), ...zones] });
  }

  /** Returns the caps that decide which users do not get a message when it leaves. */
  capsOf({ message: { lane, content } }: MessageDraft): readonly FrequencyCap[] {
    return capRoleOf(lane, content).isCapped ? this.times.frequencyCaps : [];
  }

  /** True if the time zones of the recipients matter: the message keeps quiet hours, or has a local time. */
  dependsOnZones(draft: MessageDraft): boolean {
    return this.#keptBy(draft) !== null || draft.message.schedule?.localTime !== undefined;
  }

  /**
   * @param zones how many of its devices are in which time zone; null: unknown, they may be in any zone of the
   *   application
   * @returns null for a message that leaves at once, as fast as possible
   */
  spanOf(
    draft: MessageDraft,
    sending: ScheduledSend,
    { count, zones }: { count: number; zones: ReadonlyMap<string, number> | null },
  ): SendSpanResponse | null {
    const takesMs = sending.schedule?.rate === undefined ? 0 : Math.ceil((count * 1_000) / sending.schedule.rate);
    const quietHours = this.#keptBy(draft);
    if (isPlain(sending, quietHours, zones)) return sending.schedule === undefined ? null : plainSpan(sending, takesMs);
    const plans = this.#plansOf(draft, sending, { quietHours, zones });
    if (sending.schedule === undefined && plans.every(({ due }) => due === null)) return null;
    const counts = zones === null || quietHours === null ? {} : countsOf(plans, zones);
    return { ...this.#spanOfPlans(plans, { firstAt: sending.firstAt, takesMs, quietHours }), ...counts };
  }

  #spanOfPlans(
    plans: readonly ZonePlan[],
    { firstAt, takesMs, quietHours }: { firstAt: Date; takesMs: number; quietHours: QuietHours | null },
  ): Pick<SendSpanResponse, 'firstAt' | 'lastAt'> {
    const going = plans.filter(({ isLate }) => !isLate);
    if (going.length === 0) return { firstAt: null, lastAt: null };
    const firsts = going.map(({ due }) => (due ?? firstAt).getTime());
    const lasts = firsts.map((first, place) =>
      afterQuiet(quietHours, zoneOf(going[place], this.times), first + takesMs),
    );
    return { firstAt: isoOf(Math.min(...firsts)), lastAt: isoOf(Math.max(...lasts)) };
  }

  /**
   * Returns the quiet hours that a message keeps; null: none. `live` and messages that ignore quiet hours keep none.
   */
  #keptBy({ message: { lane, schedule }, selection: { reach } }: MessageDraft): QuietHours | null {
    const { quietHours } = this.times;
    if (reach === 'live' || schedule?.ignoreQuietHours === true) return null;
    return keepsQuietHours(quietHours, lane) ? quietHours : null;
  }

  #plansOf(
    { message, selection }: MessageDraft,
    { firstAt, schedule }: ScheduledSend,
    { quietHours, zones }: { quietHours: QuietHours | null; zones: ReadonlyMap<string, number> | null },
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
    const known = zones === null ? this.times.zones : [...zones.keys()];
    return plansWithDevices(planZones(course, known, firstAt), zones);
  }
}

/** Returns the number of devices of each plan. Devices whose zone has no plan count for the plan without a zone. */
function devicesOf(plans: readonly ZonePlan[], zones: ReadonlyMap<string, number>): ReadonlyMap<string, number> {
  const planned = new Set(plans.map(({ zone }) => zone));
  const devices = new Map<string, number>();
  for (const [zone, count] of zones) {
    const place = planned.has(zone) ? zone : '';
    devices.set(place, (devices.get(place) ?? 0) + count);
  }
  return devices;
}

/** Returns the plans for which the message has devices; all plans if its zones are unknown or it has no devices. */
function plansWithDevices(plans: ZonePlan[], zones: ReadonlyMap<string, number> | null): ZonePlan[] {
  if (zones === null || zones.size === 0) return plans;
  const devices = devicesOf(plans, zones);
  return plans.filter(({ zone }) => devices.has(zone));
}

/** Returns how many devices wait for the end of quiet hours, and for how many the message would be too late. */
function countsOf(
  plans: readonly ZonePlan[],
  zones: ReadonlyMap<string, number>,
): Required<Pick<SendSpanResponse, 'waiting' | 'tooLate'>> {
  const devices = devicesOf(plans, zones);
  const sumOf = (some: readonly ZonePlan[]): number =>
    some.reduce((sum, { zone }) => sum + (devices.get(zone) ?? 0), 0);
  return {
    waiting: sumOf(plans.filter(({ isLate, waitsFor }) => !isLate && waitsFor === 'quiet_hours')),
    tooLate: sumOf(plans.filter(({ isLate }) => isLate)),
  };
}

/** True if time zones do not matter, or are not known. */
function isPlain(
  { schedule }: ScheduledSend,
  quietHours: QuietHours | null,
  zones: ReadonlyMap<string, number> | null,
): boolean {
  return quietHours === null && (zones === null || schedule?.localTime === undefined);
}

function plainSpan({ firstAt, lastAt }: ScheduledSend, takesMs: number): SendSpanResponse {
  return { firstAt: firstAt.toISOString(), lastAt: isoOf(Math.max(lastAt.getTime(), firstAt.getTime() + takesMs)) };
}

function afterQuiet(quietHours: QuietHours | null, zone: string, moment: number): number {
  return quietHours === null ? moment : (quietUntil(quietHours, zone, moment) ?? moment);
}

function zoneOf(plan: ZonePlan | undefined, { defaultTimeZone }: ApplicationTimes): string {
  return firstTimeZone(plan?.zone, defaultTimeZone);
}

function isoOf(moment: number): string {
  return new Date(moment).toISOString();
}
