import {
  type DeviceId,
  decideNextStep,
  lastCallAt,
  type NextStep,
  type RetryPolicy,
  type SendOutcome,
  type SkipReason,
  type VendorPayload,
} from '@postrider/domain';
import type { ClaimedPage, LeasedPage, PageDevice, RecordedDeliveries } from '@postrider/persistence';
import type { Route } from '../../route/route';
import { deadTokenOf, isSilent, TokenAnswerLog } from '../../tokens/token-answers';
import type { PageTimes } from './page-times';
import { DeviceExtras } from './device-extras';
import { type DeliveryOutcome, OutcomeBuffer } from './outcome-buffer';
import { skipReason, WORKER_LOST } from './skip-reason';

/**
 * Why a page is not sent to its end: its message was `cancelled` or `expired`; its route is `held`; the
 * process is `stopping`; the page was `lost` to another worker.
 */
export type StopCause = 'cancelled' | 'expired' | 'held' | 'stopping' | 'lost';

/** What follows the end of a page: if its own job runs again, and when. */
export type PageEnd = { kind: 'finished' } | { kind: 'lost' } | { kind: 'waits'; delayMs: number };

/** A page's job runs this much after the page is due, never before. */
export const AFTER_DUE_MS = 5;

/** A device that is tried again. */
export interface PlannedRetry {
  deviceId: DeviceId;
  delayMs: number;
  isUnanswered: boolean;
}

/** The number of deliveries that took each step, for the page's log line. */
type StepCounts = Partial<Record<NextStep['kind'] | 'skipped', number>>;

const WAITING = 0;
const IN_FLIGHT = 1;
const DONE = 2;

/**
 * One claimed page while it is processed, as a state machine. Its callers report what happens (a call may begin, an
 * answer came, outcomes were written, the page must stop), and it decides what follows (which device is next, what to
 * write). It does no I/O, and only it changes its state. At any moment, every device of the page is waiting, in flight,
 * or in exactly one of the outcomes, `retries` and `heldBack`.
 */
export class PageRun {
  /** What differs between the devices of the page. */
  readonly extras = new DeviceExtras();
  /** The vendor's answers about tokens. */
  readonly tokenAnswers = new TokenAnswerLog();
  /** The revision of the credentials with which the page began. */
  readonly revision: string | null;
  readonly lastCallAt: number;
  /** Resolves when nothing is in flight and nothing more will be sent. */
  readonly ended: Promise<void>;
  readonly counts: StepCounts = {};
  /** When the devices of a page whose message or application has a limit are sent to. Null: at once. */
  times: PageTimes | null = null;
  /** The number of the vendor's answers, by `kind` and `code`. */
  readonly answers = new Map<string, number>();
  readonly #outcomes = new OutcomeBuffer();
  readonly #retries: PlannedRetry[] = [];
  /** Devices that wait because their route is held. */
  readonly #heldBack: DeviceId[] = [];
  #payloadFor: (device: PageDevice) => VendorPayload = notRendered;
  #isPersonal = false;
  #isPaused = false;
  #inFlight = 0;
  /** The number of vendor calls' outcomes in `#outcomes`. */
  #unrecorded = 0;
  #next = 0;
  #stopCause: StopCause | null = null;
  readonly #status: Uint8Array;
  #end!: () => void;

  constructor(
    readonly key: LeasedPage,
    readonly page: ClaimedPage,
    readonly route: Route,
    private readonly policy: RetryPolicy,
  ) {
    this.lastCallAt = lastCallAt(page.acceptedAt.getTime(), page.expiresAt.getTime());
    this.revision = route.revision;
    this.#status = new Uint8Array(page.devices.length);
    this.ended = new Promise((resolve) => (this.#end = resolve));
  }

  get stopCause(): StopCause | null {
    return this.#stopCause;
  }

  /** The devices that are tried again. */
  get retries(): readonly PlannedRetry[] {
    return this.#retries;
  }

  /** True if each device has a payload of its own, which takes as long as many calls. */
  get isPersonal(): boolean {
    return this.#isPersonal;
  }

  /** True if sending pauses because outcomes cannot be recorded. */
  get isPaused(): boolean {
    return this.#isPaused;
  }

  /** The outcomes that are not written yet. */
  get unwritten(): Pick<OutcomeBuffer, 'size' | 'oldestAt'> {
    return this.#outcomes;
  }

  get hasNext(): boolean {
    return this.#stopCause === null && this.#next < this.page.devices.length;
  }

  /** True if nothing is in flight and nothing more will be sent. */
  get isOver(): boolean {
    return this.#inFlight === 0 && !this.hasNext;
  }

  /** Begins the run: a page with nothing to send ends at once. Devices that cannot be sent to any more are skipped. */
  begin(now: number): void {
    if (this.page.status === 'cancelled') this.stop('cancelled');
    else if (now >= this.lastCallAt) this.stop('expired');
    else this.skip((device) => skipReason(device, this.page.vendor), now);
    this.#endIfIdle();
  }

  /**
   * Sets what is sent.
   * @param payloadFor returns the payload for a device; may throw
   * @param isPersonal true if each device has a payload of its own
   */
  usePayloads(payloadFor: (device: PageDevice) => VendorPayload, isPersonal: boolean): void {
    this.#isPersonal = isPersonal;
    this.#payloadFor = payloadFor;
  }

  /** @throws if the payload cannot be made */
  payloadFor(device: PageDevice): VendorPayload {
    return this.#payloadFor(device);
  }

  /**
   * Returns the index of the next device to send to, which is now in flight; -1 if there is none, or its time is over.
   */
  takeNext(now: number): number {
    if (!this.hasNext) return -1;
    if (now >= this.lastCallAt) {
      this.stop('expired');
      return -1;
    }
    const index = this.#next;
    this.#status[index] = IN_FLIGHT;
    this.#inFlight += 1;
    this.#advance();
    return index;
  }

  /** Returns the device at an index that `takeNext` returned. */
  deviceAt(index: number): PageDevice {
    return this.page.devices[index] as PageDevice;
  }

  /** Takes the outcome of the call for the device at `index`. @returns true if the outcome must be recorded */
  answer(index: number, outcome: SendOutcome, now: number): boolean {
    if (this.#status[index] !== IN_FLIGHT) return false;
    const answer = outcome.kind === 'accepted' ? 'accepted' : `${outcome.kind} ${outcome.code}`;
    this.answers.set(answer, (this.answers.get(answer) ?? 0) + 1);
    const step = this.#nextStep(outcome, now);
    const awaitsRecording = step.kind !== 'retry' && step.kind !== 'hold';
    if (awaitsRecording) this.#unrecorded += 1;
    this.#endCall(index, step, now);
    return awaitsRecording;
  }

  /** The time of the device at `index` was over before its request was written: it waits for another one. */
  takeBack(index: number): void {
    if (this.#status[index] !== IN_FLIGHT) return;
    this.#status[index] = WAITING;
    this.#inFlight -= 1;
    this.#next = Math.min(this.#next, index);
    this.#endIfIdle();
  }

  /** Records that the device at `index` cannot be sent to; the vendor is not asked. */
  fail(index: number, code: string, reason: string, now: number): void {
    this.#endCall(index, { kind: 'failed', code, reason }, now);
  }

  /** Skips the devices that are not sent to yet and for which `reasonOf` returns a reason. */
  skip(reasonOf: (device: PageDevice) => SkipReason | null, now: number): void {
    this.#endWaiting('skipped', reasonOf, now);
  }

  /**
   * Gives the page up, because three workers were lost while they processed it. Every device that is left has failed.
   */
  park(now: number): void {
    this.#endWaiting('failed', () => WORKER_LOST, now);
  }

  /** Returns the devices that are not sent to yet. */
  waiting(): PageDevice[] {
    return this.page.devices.filter((_, index) => this.#status[index] === WAITING);
  }

  /** Sends to no further device. The first cause stays, except that `lost` replaces any other. */
  stop(cause: StopCause): void {
    if (this.#stopCause === null || cause === 'lost') this.#stopCause = cause;
    this.#endIfIdle();
  }

  /** Stops waiting for the calls in flight: their devices count as not sent, and their late answers are dropped. */
  abandon(cause: StopCause): void {
    this.stop(cause);
    for (let index = 0; index < this.#status.length; index++) {
      if (this.#status[index] === IN_FLIGHT) this.#status[index] = WAITING;
    }
    this.#inFlight = 0;
    this.#endIfIdle();
  }

  /** Returns the devices without an outcome: those never sent to, and those held back. */
  unfinished(): DeviceId[] {
    return this.waiting()
      .map(({ id }) => id)
      .concat(this.#heldBack);
  }

  /** Records the same outcome for every device without one, and for every device that would be tried again. */
  endUnfinished(ending: DeliveryOutcome, now: number): void {
    for (const deviceId of this.unfinished()) this.#outcomes.add(deviceId, ending, now);
    for (const { deviceId } of this.#retries) this.#outcomes.add(deviceId, ending, now);
  }

  /** Gives devices that wait for their vendor a delivery row meanwhile. */
  recordPending(deviceIds: readonly DeviceId[], now: number): void {
    for (const deviceId of deviceIds) this.#outcomes.add(deviceId, { state: 'pending' }, now);
  }

  /** Returns the outcomes so far, for writing; `flushed` or `flushFailed` must follow. */
  takeOutcomes(): RecordedDeliveries {
    return this.#outcomes.take();
  }

  /** Outcomes were written: sending continues if it had paused. */
  flushed(): void {
    this.#isPaused = false;
  }

  /** Outcomes could not be written: they wait until they are taken again, and sending pauses. */
  flushFailed(outcomes: RecordedDeliveries, unrecorded: number): void {
    this.#outcomes.putBack(outcomes);
    this.#unrecorded += unrecorded;
    this.#isPaused = true;
  }

  /**
   * Resets the count of unrecorded outcomes, because all were recorded or the page is lost. @returns the former count
   */
  takeUnrecorded(): number {
    const count = this.#unrecorded;
    this.#unrecorded = 0;
    return count;
  }

  #endWaiting(
    state: 'skipped' | 'failed',
    reasonOf: (device: PageDevice) => { errorCode: string; reason: string } | null,
    now: number,
  ): void {
    this.page.devices.forEach((device, index) => {
      const reason = this.#status[index] === WAITING ? reasonOf(device) : null;
      if (reason === null) return;
      this.#status[index] = DONE;
      this.#record(device, { state, ...reason }, now);
      this.#count(state);
    });
    this.#advance();
    this.#endIfIdle();
  }

  #advance(): void {
    while (this.#next < this.#status.length && this.#status[this.#next] !== WAITING) this.#next += 1;
  }

  #nextStep(outcome: SendOutcome, now: number): NextStep {
    const { vendor, attempt, isUnanswered, firstAttemptAt } = this.page;
    const delivery = {
      vendor,
      attempt,
      isUnanswered,
      firstAttemptAt: firstAttemptAt.getTime(),
      expiresAt: this.page.expiresAt.getTime(),
    };
    return decideNextStep(delivery, outcome, now, this.policy);
  }

  #endCall(index: number, step: NextStep, now: number): void {
    this.#status[index] = DONE;
    this.#inFlight -= 1;
    this.#apply(this.deviceAt(index), step, now);
    this.#count(step.kind);
    this.#endIfIdle();
  }

  #apply(device: PageDevice, step: NextStep, now: number): void {
    switch (step.kind) {
      case 'sent':
        this.tokenAnswers.addAccepted(device.id, isSilent(device, now));
        this.#record(device, { state: 'sent', vendorMessageId: step.vendorMessageId }, now);
        return;
      case 'retry':
        this.#retries.push({ deviceId: device.id, delayMs: step.delayMs, isUnanswered: step.isUnanswered });
        return;
      case 'hold':
        this.#heldBack.push(device.id);
        return;
      case 'token_dead':
        this.tokenAnswers.addDead(deadTokenOf(device, step, now));
        this.#record(device, { state: 'failed', errorCode: step.code, reason: step.reason }, now);
        return;
      case 'expired':
      case 'failed':
        this.#record(device, { state: step.kind, errorCode: step.code, reason: step.reason }, now);
    }
  }

  #record(device: PageDevice, result: DeliveryOutcome, now: number): void {
    this.extras.addTo(device, result);
    this.#outcomes.add(device.id, result, now);
  }

  #count(step: keyof StepCounts): void {
    this.counts[step] = (this.counts[step] ?? 0) + 1;
  }

  #endIfIdle(): void {
    if (this.isOver) this.#end();
  }
}

function notRendered(): never {
  throw new Error('The page has no payloads yet');
}
