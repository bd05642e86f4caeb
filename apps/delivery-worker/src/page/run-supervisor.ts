import { CHANGED_HANDS } from '@postrider/domain';
import {
  type MessageKey,
  type MessagesRepository,
  OutageWarning,
  type OwnerChangesRepository,
} from '@postrider/persistence';
import type { Logger } from '@postrider/platform';
import type { CallDispatcher } from './send/call-dispatcher';
import type { DeliveryRecorder } from './record/delivery-recorder';
import type { PageRun } from './run/page-run';
import { RunsInHand } from './run/runs-in-hand';

/** How often runs are checked for outcomes to flush. */
const FLUSH_TICK_MS = 25;
/** How often the messages at hand are checked for cancellation: nothing is sent later than two seconds after it. */
const WATCH_TICK_MS = 500;
/** For how long after such a check calls are started: without one, a cancelled message would be sent on. */
const CHECK_COUNTS_FOR_MS = 1_500;
/** How long calls in flight may continue after the process was told to stop. */
const FINISH_WITHIN_MS = 13_000;

/** The services that pages need while they run. */
interface RunSupervisorServices {
  messages: MessagesRepository;
  ownerChanges: OwnerChangesRepository;
  dispatcher: CallDispatcher;
  recorder: DeliveryRecorder;
  logger: Logger;
  /** Aborted when the process begins to stop. */
  stopping: AbortSignal;
}

/**
 * The pages that this process works on now. While they run, it flushes their outcomes, and checks their messages with
 * one query for all of them. When the process stops, it sends to no further device, and calls in flight have a few
 * seconds to return.
 */
export class RunSupervisor {
  readonly #runs = new RunsInHand();
  readonly #notPaced: OutageWarning;
  readonly #notWatched: OutageWarning;
  #flushTimer: NodeJS.Timeout | undefined;
  #watchTimer: NodeJS.Timeout | undefined;
  #isWatching = false;
  #isFlushScheduled = false;
  #anyPaused = false;

  constructor(private readonly services: RunSupervisorServices) {
    this.#notPaced = new OutageWarning(services.logger, 'page.not-paced-again');
    this.#notWatched = new OutageWarning(services.logger, 'messages.watch-failed');
    services.recorder.whenPressing(() => this.#flushSoon());
    services.dispatcher.whenOverdue(() => void this.watch());
    services.stopping.addEventListener('abort', () => this.#shutDown(), { once: true });
  }

  /** Processes a page that was begun, from its time on, until nothing more will come of it. */
  async run(run: PageRun): Promise<void> {
    if (this.services.stopping.aborted) run.stop('stopping');
    // Its claim has read what the check would.
    if (this.#runs.size === 0) this.#noteChecked();
    this.#runs.add(run);
    this.#startTimers();
    if (run.times === null) this.services.dispatcher.add(run);
    else await this.#sendInTime(run, run.times);
    await run.ended;
    this.#runs.delete(run);
    if (this.#runs.size === 0) this.#stopTimers();
  }

  /** Gives a page to the dispatcher whenever the time of its next device has come. */
  async #sendInTime(run: PageRun, times: NonNullable<PageRun['times']>): Promise<void> {
    const { pageId } = run.key;
    while (run.hasNext) {
      await times.wait((error) => this.#notPaced.log(error, { pageId }));
      const putBack = times.untilPutBack();
      this.services.dispatcher.add(run);
      await putBack;
    }
  }

  /** Stops every page after its calls in flight: another page must run alone. */
  stopAll(): void {
    for (const run of this.#runs) run.stop('stopping');
  }

  /**
   * Stops the pages whose messages have expired while they wait for their vendor. Reads which of the messages were cancelled, and
   * stops their pages; reads which devices changed their owner, and skips them. No call is started without a check that is 1.5 s old
   * at most. Never rejects.
   */
  async watch(): Promise<void> {
    this.#stopExpired();
    if (this.#isWatching || this.#runs.size === 0) return;
    this.#isWatching = true;
    try {
      const cancelled = await this.services.messages.findCancelled(this.#messages());
      const ids = new Set(cancelled.map(({ appId, messageId }) => `${appId} ${messageId}`));
      for (const run of this.#runs) if (ids.has(nameOf(run.key))) run.stop('cancelled');
      await this.#skipChangedOwners();
      this.#noteChecked();
    } catch (error) {
      this.#notWatched.log(error);
    } finally {
      this.#isWatching = false;
    }
  }

  #noteChecked(): void {
    const { dispatcher } = this.services;
    dispatcher.allowUntil(dispatcher.clock.steadyMs() + CHECK_COUNTS_FOR_MS);
  }

  #stopExpired(): void {
    const now = this.services.dispatcher.clock.now().getTime();
    for (const run of this.#runs) if (run.hasNext && now >= run.lastCallAt) run.stop('expired');
  }

  async #skipChangedOwners(): Promise<void> {
    const owners = new Map<string, string>();
    for (const { appId, deviceId, userId } of await this.services.ownerChanges.listRecent())
      owners.set(`${deviceId} ${appId}`, userId);
    if (owners.size === 0) return;
    const now = this.services.dispatcher.clock.now().getTime();
    for (const run of this.#runs) {
      // A device claimed after the change already has its new owner.
      run.skip(({ id, userId }) => {
        const owner = owners.get(`${id} ${run.key.appId}`);
        return owner === undefined || owner === userId ? null : CHANGED_HANDS;
      }, now);
    }
  }

  #messages(): MessageKey[] {
    const messages = new Map<string, MessageKey>();
    for (const { key } of this.#runs) messages.set(nameOf(key), key);
    return [...messages.values()];
  }

  #flush(): void {
    // A page that was paused at the last look may continue now; one pump too many costs nothing.
    if (this.#anyPaused) this.services.dispatcher.pump();
    this.#anyPaused = false;
    for (const run of this.#runs) this.#anyPaused ||= run.isPaused;
    this.services.recorder.flushDue(this.#runs);
  }

  /** Answers come in bursts: records after the current burst. */
  #flushSoon(): void {
    if (this.#isFlushScheduled) return;
    this.#isFlushScheduled = true;
    setImmediate(() => {
      this.#isFlushScheduled = false;
      this.#flush();
    });
  }

  #startTimers(): void {
    this.#flushTimer ??= setInterval(() => this.#flush(), FLUSH_TICK_MS);
    this.#watchTimer ??= setInterval(() => void this.watch(), WATCH_TICK_MS);
  }

  #stopTimers(): void {
    clearInterval(this.#flushTimer);
    clearInterval(this.#watchTimer);
    this.#flushTimer = undefined;
    this.#watchTimer = undefined;
  }

  #shutDown(): void {
    this.stopAll();
    const abandonAll = (): void => {
      for (const run of this.#runs) run.abandon('stopping');
    };
    setTimeout(abandonAll, FINISH_WITHIN_MS).unref();
  }
}

function nameOf({ appId, messageId }: MessageKey): string {
  return `${appId} ${messageId}`;
}
