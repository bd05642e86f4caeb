import type { PushVendor, SendOutcome } from '@postrider/domain';
import type { SendCallback, Sender, SenderCapacity, PushRequest } from '@postrider/vendors';

/** The answer of a vendor stand-in; undefined: none until `release` is called. */
export type Answer = (token: string, times: number) => SendOutcome | undefined;

/** A sender that answers at once as the test says, and remembers its requests. */
export class FakeSender implements Sender {
  readonly capacity: SenderCapacity = { free: () => 1_000, whenFree: (callback) => callback() };
  /** Tokens in the order in which they were sent to. */
  readonly sent: string[] = [];
  readonly requests: PushRequest[] = [];
  isClosed = false;
  readonly #waiting: { token: string; done: SendCallback }[] = [];
  readonly #times = new Map<string, number>();
  #wake: (() => void) | undefined;

  constructor(
    readonly vendor: PushVendor,
    public answer: Answer = accepted,
  ) {}

  send(request: PushRequest, done: SendCallback): void {
    const { token } = request;
    const times = (this.#times.get(token) ?? 0) + 1;
    this.#times.set(token, times);
    this.sent.push(token);
    this.requests.push(request);
    const outcome = this.answer(token, times);
    if (outcome !== undefined) {
      done(outcome);
      return;
    }
    this.#waiting.push({ token, done });
    this.#wake?.();
  }

  /** Resolves when `count` calls wait for their answer. */
  async untilWaiting(count: number): Promise<void> {
    while (this.#waiting.length < count) await new Promise<void>((resolve) => (this.#wake = resolve));
  }

  /** Answers the calls that wait. */
  release(answer: Answer = accepted): void {
    for (const { token, done } of this.#waiting.splice(0)) done(answer(token, 1) ?? accepted(token));
  }

  check(): Promise<{ ok: true }> {
    return Promise.resolve({ ok: true });
  }

  close(): Promise<void> {
    this.isClosed = true;
    return Promise.resolve();
  }
}

/** The vendor accepts the message. */
export function accepted(token: string): SendOutcome {
  return { kind: 'accepted', vendorMessageId: `id of ${token}` };
}
