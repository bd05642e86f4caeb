import { Inject, Injectable } from '@nestjs/common';
import type { Clock, SendOutcome, VendorPayload, Lane } from '@postrider/domain';
import { CLOCK, deliveryId } from '@postrider/platform';
import { TemplateFailure } from '@postrider/rendering';
import type { Sender, PushRequest } from '@postrider/vendors';
import { DeliveryMetrics } from '../delivery-metrics';
import type { PageRun } from '../run/page-run';
import type { Route, RoutePages } from '../../route/route';
import { type CallAnswer, LatencyLimit } from './latency-limit';
import { SendWindow } from './send-window';

/** The pages in hand that are sent over one route, in their order. */
class RouteQueue implements RoutePages {
  readonly #runs: Record<Lane, PageRun[]> = { transactional: [], campaign: [] };

  /** The calls of its campaigns. */
  readonly campaigns: LatencyLimit;

  constructor(
    readonly route: Route,
    mostInFlight: number,
  ) {
    this.campaigns = new LatencyLimit(mostInFlight);
    route.attach(this);
  }

  get isEmpty(): boolean {
    return this.#runs.transactional.length + this.#runs.campaign.length === 0;
  }

  add(run: PageRun): void {
    this.#runs[run.page.lane].push(run);
  }

  /** Puts a page back: the time of its next device has not come. */
  putBack(run: PageRun): void {
    const runs = this.#runs[run.page.lane];
    const place = runs.indexOf(run);
    if (place >= 0) runs.splice(place, 1);
    run.times?.putBack();
  }

  /** Returns the page to send from next: named users first; within a lane, the page that came first. */
  next(): PageRun | null {
    return this.#nextOf('transactional') ?? this.#nextOf('campaign');
  }

  stopAll(): void {
    for (const run of this.#runs.transactional.concat(this.#runs.campaign)) run.stop('held');
  }

  #nextOf(lane: Lane): PageRun | null {
    const runs = this.#runs[lane];
    while (runs.length > 0 && !(runs[0] as PageRun).hasNext) runs.shift();
    return runs.find((run) => run.hasNext && !run.isPaused) ?? null;
  }
}

/**
 * A route takes at most this share of the places that the others leave free, so that a route that hangs never takes
 * them all. Its campaigns take a little less than its named users, so that named users never wait for the answers to a
 * campaign's calls.
 */
const SHARE_OF_FREE: Readonly<Record<Lane, number>> = { campaign: 0.75, transactional: 0.8 };
/** A route may always have this many calls in flight while the window is not full. */
const ALWAYS_ALLOWED = 4;
/** This many devices of a route are begun before the next route has its turn. */
const BURST = 32;

/** The calls of personal messages are started for at most this long without a break. */
const LONGEST_PUMP_MS = 5;

/**
 * Starts the vendor calls of every page of this worker: as many as the window takes, routes in turn, the pages of a
 * route one after the other. The connection is never idle at a page's end, because the next page's devices follow at
 * once.
 */
@Injectable()
export class CallDispatcher {
  /** The routes with something to send. */
  readonly #queues: RouteQueue[] = [];
  readonly #queueOf = new WeakMap<Route, RouteQueue>();
  readonly #awaitingCapacity = new WeakSet<Sender>();
  #isPumping = false;
  #pausesForOthers = false;
  #pumpingSince = 0;
  #isScheduled = false;
  /** On the scale of `clock.steadyMs()`. */
  #mayStartUntil = Infinity;
  #onOverdue: () => void = () => undefined;

  constructor(
    private readonly window: SendWindow,
    @Inject(CLOCK) readonly clock: Clock,
    private readonly metrics: DeliveryMetrics,
  ) {
    window.listen({ onRoom: () => this.#schedule() });
  }

  /**
   * Takes a page in hand: sends to its devices until the page is stopped or complete (`run.ended`), or the next device has to wait for
   * its time (`PageTimes.untilPutBack`). It then takes the page again.
   */
  add(run: PageRun): void {
    // Held since the page was claimed: it would stay in hand until the hold ends.
    if (run.route.breaker.isHolding) run.stop('held');
    if (!run.hasNext) return;
    let queue = this.#queueOf.get(run.route);
    if (queue === undefined) {
      queue = new RouteQueue(run.route, this.window.size);
      this.#queueOf.set(run.route, queue);
    }
    queue.add(run);
    if (!this.#queues.includes(queue)) this.#queues.push(queue);
    this.pump();
  }

  /**
   * Starts no call from `steadyMs` on (on the scale of `clock.steadyMs()`), until this is called again. Before the first time
   * calls are always started.
   */
  allowUntil(steadyMs: number): void {
    this.#mayStartUntil = steadyMs;
    this.pump();
  }

  /** Calls `listener` when there may be calls to start, and it is too late for them (`allowUntil`). */
  whenOverdue(listener: () => void): void {
    this.#onOverdue = listener;
  }

  /** Starts every call that may start now. It runs by itself after each answer; call it after a pause has ended. */
  pump(): void {
    if (this.#isPumping) return;
    if (this.clock.steadyMs() >= this.#mayStartUntil) {
      this.#onOverdue();
      return;
    }
    this.#isPumping = true;
    this.#pumpingSince = performance.now();
    for (let started = true; started;) {
      started = false;
      for (let place = this.#queues.length - 1; place >= 0; place--) {
        if (this.#startBurst(this.#queues[place] as RouteQueue, place)) started = true;
      }
    }
    this.#isPumping = false;
    if (this.#pausesForOthers) this.#schedule();
    this.#pausesForOthers = false;
  }

  /** @returns true if the route may have more to start */
  #startBurst(queue: RouteQueue, place: number): boolean {
    const { route } = queue;
    let isPersonal = false;
    for (let started = 0; started < BURST; started++) {
      const now = this.clock.now().getTime();
      const run = queue.next();
      if (run === null) {
        if (route.isIdle) this.#queues.splice(place, 1);
        return false;
      }
      if (!this.#hasRoomFor(queue, run.page.lane)) return false;
      route.breaker.advance();
      if (!route.canSend()) {
        this.#awaitCapacity(route);
        return false;
      }
      const overAt = run.times === null ? Infinity : run.times.use();
      if (overAt === null) queue.putBack(run);
      else this.#start(queue, run, now, overAt);
      isPersonal = run.isPersonal;
    }
    // Making a text for each device takes time: it is interrupted, so that the rest of the process gets its turn.
    const takesLong = isPersonal && performance.now() - this.#pumpingSince > LONGEST_PUMP_MS;
    this.#pausesForOthers ||= takesLong;
    return !takesLong;
  }

  #hasRoomFor({ route, campaigns }: RouteQueue, lane: Lane): boolean {
    if (this.window.isFullFor(lane) || (lane === 'campaign' && campaigns.isFull)) return false;
    const leftByOthers = this.window.size - (this.window.inFlight - route.inFlight);
    return route.inFlight < Math.max(ALWAYS_ALLOWED, leftByOthers * SHARE_OF_FREE[lane]);
  }

  #awaitCapacity({ sender }: Route): void {
    if (sender === null || sender.capacity.free() > 0 || this.#awaitingCapacity.has(sender)) return;
    this.#awaitingCapacity.add(sender);
    sender.capacity.whenFree(() => {
      this.#awaitingCapacity.delete(sender);
      this.#schedule();
    });
  }

  /** @param overAt the moment from which on the device's time is over */
  #start(queue: RouteQueue, run: PageRun, now: number, overAt: number): void {
    const { route, campaigns } = queue;
    const index = run.takeNext(now);
    if (index < 0) return;
    const request = this.#requestFor(run, index, now, overAt);
    if (request === null) return;
    this.window.begun();
    route.inFlight += 1;
    if (run.page.lane === 'campaign') campaigns.begun();
    route.calls.begun(now);
    const startedAt = performance.now();
    const { revision } = route;
    (route.sender as Sender).send(request, (outcome) => {
      route.inFlight -= 1;
      if (run.page.lane === 'campaign') campaigns.answered(startedAt, performance.now(), callAnswerOf(outcome));
      if (outcome.kind === 'expired' && this.clock.now().getTime() < run.lastCallAt) this.#takeBack(queue, run, index);
      else this.#answered(run, index, outcome, { startedAt, revision });
    });
  }

  /** The request of a device was not written in its time: the vendor was not called. The device gets another time. */
  #takeBack(queue: RouteQueue, run: PageRun, index: number): void {
    run.takeBack(index);
    queue.route.calls.withdrawn(queue.route.inFlight);
    this.window.answered(false);
    queue.putBack(run);
    this.#schedule();
  }

  #requestFor(run: PageRun, index: number, now: number, overAt: number): DeviceSend | null {
    const device = run.deviceAt(index);
    try {
      const payload = run.payloadFor(device);
      return new DeviceSend(
        run.key.messageId,
        device.installationId as string,
        device.token as string,
        payload,
        run.page.expiresAt,
        Math.min(run.lastCallAt, overAt),
      );
    } catch (error) {
      const code = error instanceof TemplateFailure ? error.code : 'rendering_failed';
      run.fail(index, code, error instanceof Error ? error.message : String(error), now);
      return null;
    }
  }

  #answered(
    run: PageRun,
    index: number,
    answer: SendOutcome,
    { startedAt, revision }: { startedAt: number; revision: string | null },
  ): void {
    const { route } = run;
    const now = this.clock.now().getTime();
    // The credentials may have changed meanwhile. What the former ones got says nothing of the present ones.
    const isOfPresent = route.revision === revision;
    const token = run.deviceAt(index).token ?? '';
    const outcome = isOfPresent || answer.kind !== 'accepted' ? route.classify(answer, run.page, token, now) : answer;
    this.metrics.answered(route, (performance.now() - startedAt) / 1_000);
    route.calls.answered(outcome, now, route.inFlight);
    const change = isOfPresent ? route.record(outcome, token) : null;
    if (change === 'opened' && outcome.kind !== 'accepted') route.hold(outcome);
    if (change === 'closed') route.resume();
    run.times?.answered();
    this.window.answered(run.answer(index, outcome, now));
    this.#schedule();
  }

  /** Answers come in bursts: they are counted together before the next calls are started. */
  #schedule(): void {
    if (this.#isScheduled || this.#isPumping) return;
    this.#isScheduled = true;
    setImmediate(() => {
      this.#isScheduled = false;
      this.pump();
    });
  }
}

/**
 * Returns what an outcome says about the vendor's latency: the vendor examined a message that it took or refused. The
 * time of any other outcome has other reasons.
 */
function callAnswerOf({ kind }: SendOutcome): CallAnswer {
  if (kind === 'accepted') return 'taken';
  return kind === 'token_invalid' || kind === 'request_invalid' || kind === 'mismatch' ? 'refused' : 'failed';
}

/** One device's request. Its id is made only for vendors that send it. */
class DeviceSend implements PushRequest {
  constructor(
    private readonly messageId: string,
    private readonly installationId: string,
    readonly token: string,
    readonly payload: VendorPayload,
    readonly expiresAt: Date,
    readonly lastCallAt: number,
  ) {}

  get deliveryId(): string {
    return deliveryId(this.messageId, this.installationId);
  }
}
