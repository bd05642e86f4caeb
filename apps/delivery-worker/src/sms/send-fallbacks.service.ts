import { setTimeout as pause } from 'node:timers/promises';
import { Inject, Injectable } from '@nestjs/common';
import type { Clock } from '@postrider/domain';
import { FallbacksRepository, type MessageKey } from '@postrider/persistence';
import { CLOCK } from '@postrider/platform';
import { AttemptFallback } from './attempt-fallback.service';
import { ClaimFallbacks } from './claim-fallbacks.service';
import { InquireFallbacks } from './inquire-fallbacks.service';
import type { RouteHold, SmsRoute } from './sms-route';
import { SmsRoutes } from './sms-routes.service';

/** The most fallbacks that are claimed together; fewer if the application's calls are nearly used up. */
const AT_ONCE = 16;

/**
 * How long a message waits until one of its application's calls ends. After that it leaves its place to other messages
 * for the same time.
 */
const NO_ROOM_MS = 250;

/** How sending of a message ended: nothing is due any more, or the same must be done again later. */
type FallbackSendResult = { kind: 'done' } | { kind: 'later'; delayMs: number };

/**
 * Sends the due fallbacks of a message. It is safe to run at any time, by any number of processes at once and after any
 * interruption: PostgreSQL decides who sends what, and an SMS that may have been sent is sent again only by choice.
 */
@Injectable()
export class SendFallbacks {
  constructor(
    private readonly fallbacks: FallbacksRepository,
    @Inject(CLOCK) private readonly clock: Clock,
    private readonly routes: SmsRoutes,
    private readonly inquiries: InquireFallbacks,
    private readonly claims: ClaimFallbacks,
    private readonly attempts: AttemptFallback,
  ) {}

  /** @param stopping fires when the process stops: calls in flight end, and nothing more begins */
  async send(key: MessageKey, stopping: AbortSignal): Promise<FallbackSendResult> {
    while (!stopping.aborted && (await this.inquiries.inquire(key, await this.routes.routeOf(key.appId))));
    const underWay = new Set<Promise<void>>();
    try {
      return await this.#sendAll(key, stopping, underWay);
    } finally {
      await Promise.all(underWay);
    }
  }

  async #sendAll(key: MessageKey, stopping: AbortSignal, underWay: Set<Promise<void>>): Promise<FallbackSendResult> {
    // Most messages name one user: it takes room for one call first, and for more when there is more to do.
    for (let wanted = 1; !stopping.aborted; wanted = Math.min(2 * wanted, AT_ONCE)) {
      const route = await this.routes.routeOf(key.appId);
      const hold = route.currentHold();
      const result = hold === null ? await this.#sendSome(key, route, wanted, underWay) : await this.#hold(key, hold);
      if (result !== 'more') return result;
    }
    return { kind: 'done' };
  }

  async #sendSome(
    key: MessageKey,
    route: SmsRoute,
    wanted: number,
    underWay: Set<Promise<void>>,
  ): Promise<FallbackSendResult | 'more'> {
    const { sender, revision } = route;
    if (sender === null) return { kind: 'later', delayMs: NO_ROOM_MS };
    let room = route.acquire(wanted);
    if (room === 0) return (await callEndsWithin(route, NO_ROOM_MS)) ? 'more' : { kind: 'later', delayMs: NO_ROOM_MS };
    try {
      const { due, hasMore, toSend } = await this.claims.claim(key, { provider: sender.provider, revision }, room);
      for (const sms of await this.attempts.begin(key, toSend)) {
        room--;
        const attempt = this.attempts.attempt(key, sms, sender, route).finally(() => {
          route.release(1);
          underWay.delete(attempt);
        });
        underWay.add(attempt);
      }
      if (!hasMore) return { kind: 'done' };
      return due > 0 ? 'more' : { kind: 'later', delayMs: NO_ROOM_MS };
    } finally {
      route.release(room);
    }
  }

  /** Makes due fallbacks wait for the route, and ends those that have expired or were cancelled meanwhile. */
  async #hold(key: MessageKey, { until, code, reason }: RouteHold): Promise<FallbackSendResult | 'more'> {
    const now = this.clock.now();
    await this.fallbacks.postpone(key, { now, until: new Date(until), errorCode: code, reason });
    const { due } = await this.claims.claim(key, null, AT_ONCE);
    return due === AT_ONCE ? 'more' : { kind: 'done' };
  }
}

/** @returns true if a call ended within that time, whichever message it belonged to */
async function callEndsWithin(route: SmsRoute, withinMs: number): Promise<boolean> {
  const over = new AbortController();
  try {
    return await Promise.race([route.nextReleased().then(() => true), pause(withinMs, false, { signal: over.signal })]);
  } finally {
    over.abort();
  }
}
