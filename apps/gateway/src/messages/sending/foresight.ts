import { listTimeZones, planZones, type ZonePlan } from '@postrider/audience';
import type { SendSpanResponse } from '@postrider/contracts';
import { isTimeZone, keepsQuietHours, type QuietHours, quietUntil, firstTimeZone } from '@postrider/domain';
import type { ApplicationsRepository, Database } from '@postrider/persistence';
import type { MessageDraft } from './draft-message';
import type { ScheduledSend } from './schedule-sends';

/** Where an application's devices are, and when they are left alone. */
interface ApplicationTimes {
  quietHours: QuietHours | null;
  defaultTimeZone: string | null;
  /** Every time zone that a device may be in, the default first. */
  zones: readonly string[];
}

/** Says when messages of an application would go out, as far as that is known now. */
export class Foresight {
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
