/** Pending packets are passed on when they exceed this size. */
const MOST_PENDING_BYTES = 65_536;

/** Collects packets and passes them on in one write: system calls are the largest cost of a packet. */
export class WriteCollector {
  /** Packets that wait for the end of `inOneWrite`. Null: each packet is passed on at once. */
  #pending: Buffer[] | null = null;
  #pendingBytes = 0;

  /** @param write receives the bytes of one packet or of several */
  constructor(private readonly write: (bytes: Buffer) => void) {}

  /** The size of the packets that were not passed on yet. */
  get pendingBytes(): number {
    return this.#pendingBytes;
  }

  /** Adds a packet. */
  add(packet: Buffer): void {
    if (this.#pending === null) this.write(packet);
    else {
      this.#pending.push(packet);
      this.#pendingBytes += packet.length;
      if (this.#pendingBytes > MOST_PENDING_BYTES) this.flush();
    }
  }

  /** Runs `work` and passes on everything that it adds at once. */
  inOneWrite(work: () => void): void {
    if (this.#pending !== null) {
      work();
      return;
    }
    this.#pending = [];
    try {
      work();
    } finally {
      this.flush();
      this.#pending = null;
    }
  }

  /** Passes on what is pending. */
  flush(): void {
    const [first, ...rest] = this.#pending?.splice(0) ?? [];
    this.#pendingBytes = 0;
    if (first !== undefined) this.write(rest.length === 0 ? first : Buffer.concat([first, ...rest]));
  }
}
