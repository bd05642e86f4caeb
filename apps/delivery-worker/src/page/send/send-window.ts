import type { Lane } from '@postrider/domain';

/** One of this many places in the window is for named users alone: they never wait until a campaign's outcomes are recorded. */
const ONE_RESERVED_OF = 20;
/** When this share of the window is unrecorded, outcomes are recorded at once. */
const PRESSING_SHARE = 0.25;

/**
 * The devices that may get a message twice if this process dies: calls in flight, and answers that are not recorded
 * yet. There are never more of them, over all pages and vendors, than `size`. Answers that are no outcome (a refusal
 * that is tried again later) leave at once: the vendor did not take them.
 */
export class SendWindow {
  #inFlight = 0;
  #unrecorded = 0;
  #onRoom: () => void = () => undefined;
  #onPressing: () => void = () => undefined;

  readonly #sizeForCampaigns: number;

  constructor(readonly size: number) {
    this.#sizeForCampaigns = size - Math.floor(size / ONE_RESERVED_OF);
  }

  get inFlight(): number {
    return this.#inFlight;
  }

  get unrecorded(): number {
    return this.#unrecorded;
  }

  /** True if no call of this lane may begin. */
  isFullFor(lane: Lane): boolean {
    return this.#inFlight + this.#unrecorded >= (lane === 'campaign' ? this.#sizeForCampaigns : this.size);
  }

  /** True if so much waits to be recorded that it narrows the sending, beside what is being written. */
  isPressing(underWay = 0): boolean {
    return this.#unrecorded - underWay >= this.size * PRESSING_SHARE;
  }

  /** Who hears that there is room again, and that recording is pressing. */
  listen({ onRoom, onPressing }: { onRoom?: () => void; onPressing?: () => void }): void {
    this.#onRoom = onRoom ?? this.#onRoom;
    this.#onPressing = onPressing ?? this.#onPressing;
  }

  /** A call begins. */
  begun(): void {
    this.#inFlight += 1;
  }

  /** A call came back. @param awaitsRecording whether its outcome is to be recorded */
  answered(awaitsRecording: boolean): void {
    this.#inFlight -= 1;
    if (!awaitsRecording) return;
    this.#unrecorded += 1;
    if (this.isPressing()) this.#onPressing();
  }

  /** Outcomes were recorded, or their page is somebody else's by now. */
  recorded(count: number): void {
    if (count === 0) return;
    this.#unrecorded -= count;
    this.#onRoom();
  }
}
