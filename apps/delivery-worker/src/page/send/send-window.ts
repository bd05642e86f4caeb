import type { Lane } from '@postrider/domain';

/**
 * One of this many places in the window is for named users alone: they never wait until a campaign's outcomes are
 * recorded.
 */
const ONE_RESERVED_OF = 20;
/** When this share of the window is unrecorded, outcomes are recorded at once. */
const PRESSING_SHARE = 0.25;

/**
 * The devices that may get a message twice if this process dies: calls in flight, and answers that are not recorded
 * yet. There are never more of them, over all pages and vendors, than `size`. An answer that is not an outcome (a
 * refusal that is tried again later) leaves at once: the vendor did not accept the message.
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

  /** True if no call of this lane may begin. */
  isFullFor(lane: Lane): boolean {
    return this.#inFlight + this.#unrecorded >= (lane === 'campaign' ? this.#sizeForCampaigns : this.size);
  }

  /** True if so many outcomes wait to be recorded that they slow down sending, beside those that are being written. */
  isPressing(underWay = 0): boolean {
    return this.#unrecorded - underWay >= this.size * PRESSING_SHARE;
  }

  /** Sets the functions that are called when there is room again, and when recording is pressing. */
  listen({ onRoom, onPressing }: { onRoom?: () => void; onPressing?: () => void }): void {
    this.#onRoom = onRoom ?? this.#onRoom;
    this.#onPressing = onPressing ?? this.#onPressing;
  }

  /** Counts a call that begins. */
  begun(): void {
    this.#inFlight += 1;
  }

  /** Counts a call that returned. @param awaitsRecording true if its outcome must be recorded */
  answered(awaitsRecording: boolean): void {
    this.#inFlight -= 1;
    if (!awaitsRecording) return;
    this.#unrecorded += 1;
    if (this.isPressing()) this.#onPressing();
  }

  /** Counts outcomes that were recorded, or whose page belongs to another worker by now. */
  recorded(count: number): void {
    if (count === 0) return;
    this.#unrecorded -= count;
    this.#onRoom();
  }
}
