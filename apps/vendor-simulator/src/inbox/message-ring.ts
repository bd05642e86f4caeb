import type { VendorApiName } from '../vendors/vendor-api';

/** A message that a vendor has accepted, as the inbox keeps it. */
export interface KeptMessage {
  /** Counts up from 1 over all vendors. */
  id: number;
  acceptedAt: number;
  vendor: VendorApiName;
  token: string;
  vendorMessageId: string;
  payload: unknown;
  details: Readonly<Record<string, string>>;
}

/** A ring buffer of the newest messages: when it is full, each new one replaces the oldest. */
export class MessageRing {
  private kept: KeptMessage[] = [];
  private next = 0;

  constructor(private capacity: number) {}

  /** Adds a message in constant time. */
  push(message: KeptMessage): void {
    if (this.capacity === 0) return;
    this.kept[this.next] = message;
    this.next = (this.next + 1) % this.capacity;
  }

  /** Every message it holds, newest first. */
  *newestFirst(): Generator<KeptMessage> {
    for (let back = 1; back <= this.kept.length; back += 1) {
      const message = this.kept[(this.next - back + this.kept.length) % this.kept.length];
      if (message !== undefined) yield message;
    }
  }

  /** Makes room for more or fewer, keeping the newest. */
  resize(capacity: number): void {
    const newest = [...this.newestFirst()].slice(0, capacity).reverse();
    this.capacity = capacity;
    this.kept = newest;
    this.next = capacity === 0 ? 0 : newest.length % capacity;
  }

  /** Forgets all. */
  clear(): void {
    this.kept = [];
    this.next = 0;
  }
}
