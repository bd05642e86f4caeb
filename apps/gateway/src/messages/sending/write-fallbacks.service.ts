import { Injectable } from '@nestjs/common';
import { localSpan, type MessageSchedule } from '@postrider/audience';
import { type Fallback, fallbackDueAt, firstTimeZone, keepsQuietHours, type QuietHours } from '@postrider/domain';
import {
  ApplicationsRepository,
  type Executor,
  FallbacksRepository,
  type NewFallbacks,
  UsersRepository,
} from '@postrider/persistence';
import type { MessageDraft } from './draft-message';

/**
 * Returns the SMS that the named users of a message get if nothing confirms the message in time; null if it has none.
 */
export function fallbacksOf({ message, selection: { appId, who } }: MessageDraft): NewFallbacks | null {
  const { id: messageId, content, expiresAt } = message;
  const startsAt = message.schedule?.sendAt ?? message.acceptedAt;
  if (content.fallback === undefined || who.kind !== 'users') return null;
  return { appId, messageId, userIds: who.userIds, fallback: content.fallback, startsAt, expiresAt };
}

/** The reasons why the fallbacks of a message are due at other moments than their delay after it was sent. */
interface FallbackTerms {
  fallbacks: NewFallbacks;
  fallback: Fallback;
  quietHours: QuietHours | null;
  /** The local time at which the message is sent; null: it is sent everywhere at once. */
  local: { localTime: Date; ttlSeconds: number; acceptedAt: Date } | null;
}

/** Writes the fallbacks of messages, and computes when each is due. */
@Injectable()
export class WriteFallbacks {
  constructor(
    private readonly fallbacks: FallbacksRepository,
    private readonly applications: ApplicationsRepository,
    private readonly users: UsersRepository,
  ) {}

  /**
   * Writes the fallbacks of drafts, all of one application, in the transaction of `executor`. Each is due its delay
   * after the moment at which the message of its user may leave: at the local time of the user, and after quiet hours,
   * which the SMS keeps too.
   */
  async write(executor: Executor, drafts: readonly MessageDraft[]): Promise<void> {
    await this.fallbacks.insert(executor, await this.#plan(executor, drafts));
  }

  /** Replaces the fallbacks of a message that was changed before it left. */
  async rewrite(executor: Executor, draft: MessageDraft): Promise<void> {
    const { message, selection } = draft;
    await this.fallbacks.deleteWaiting(executor, { appId: selection.appId, messageId: message.id });
    await this.write(executor, [draft]);
  }

  async #plan(executor: Executor, drafts: readonly MessageDraft[]): Promise<NewFallbacks[]> {
    const planned = drafts.flatMap((draft) => {
      const fallbacks = fallbacksOf(draft);
      return fallbacks === null ? [] : [{ draft, fallbacks }];
    });
    const [first] = planned;
    if (first === undefined) return [];
    const application = await this.applications.find(executor, first.fallbacks.appId);
    const { quietHours = null, defaultTimeZone = null } = application ?? {};
    const timed: NewFallbacks[] = [];
    for (const { draft, fallbacks } of planned) {
      const terms = termsOf(draft, fallbacks, quietHours);
      timed.push(
        terms === null ? fallbacks : { ...fallbacks, dueAts: await this.#dueAtsOf(executor, terms, defaultTimeZone) },
      );
    }
    return timed;
  }

  async #dueAtsOf(
    executor: Executor,
    { fallbacks: { appId, userIds, startsAt }, fallback: { delaySeconds }, quietHours, local }: FallbackTerms,
    defaultTimeZone: string | null,
  ): Promise<Record<string, Date>> {
    const zones = await this.users.findTimeZones(executor, appId, userIds);
    const byZone = new Map<string, Date>();
    const dueIn = (zone: string): Date => {
      const starts = local === null ? startsAt : localSpan(local, zone).starts;
      return new Date(fallbackDueAt({ startsAt: starts.getTime(), delaySeconds, quietHours, zone }));
    };
    const dueAts = userIds.map((userId): [string, Date] => {
      const zone = firstTimeZone(zones.get(userId), defaultTimeZone);
      const dueAt = byZone.get(zone) ?? dueIn(zone);
      byZone.set(zone, dueAt);
      return [userId, dueAt];
    });
    return Object.fromEntries(dueAts);
  }
}

/** @returns null if there are no such reasons */
function termsOf({ message }: MessageDraft, fallbacks: NewFallbacks, kept: QuietHours | null): FallbackTerms | null {
  const { schedule, acceptedAt, lane } = message;
  const quietHours = schedule?.ignoreQuietHours !== true && keepsQuietHours(kept, lane) ? kept : null;
  const local = localOf(schedule, acceptedAt);
  if (quietHours === null && local === null) return null;
  return { fallbacks, fallback: fallbacks.fallback, quietHours, local };
}

function localOf(schedule: MessageSchedule | undefined, acceptedAt: Date): FallbackTerms['local'] {
  const { localTime, ttlSeconds } = schedule ?? {};
  return localTime === undefined || ttlSeconds === undefined ? null : { localTime, ttlSeconds, acceptedAt };
}
