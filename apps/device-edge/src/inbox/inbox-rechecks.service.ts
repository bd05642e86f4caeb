import { Injectable } from '@nestjs/common';
import type { Session } from '../session/session';
import { Connections } from '../session/session-registry';
import { Inbox } from './inbox-reader.service';

/**
 * After a device connected. A send that was being accepted at that moment may not have seen it as connected, and its row may
 * have come after the inbox was read: the inbox is read again when such a send is surely over (a statement ends within a
 * minute).
 */
const DELAYS_MS = [1_000, 10_000, 65_000] as const;
/** Every inbox is read so often, whatever happens: the net under all nets. */
const ROUND_MS = 300_000;

/** Reads inboxes again without being asked. */
@Injectable()
export class Rechecks {
  readonly #due: { atMs: number; session: Session }[][] = DELAYS_MS.map(() => []);
  #round: Iterator<Session> | undefined;
  #lastMs: number | undefined;

  constructor(
    private readonly connections: Connections,
    private readonly inbox: Inbox,
  ) {}

  entered(session: Session, nowMs: number): void {
    DELAYS_MS.forEach((delayMs, place) => this.#due[place]?.push({ atMs: nowMs + delayMs, session }));
  }

  /** Asks for the inboxes that are due. To be called about once a second. */
  tick(nowMs: number): void {
    for (const queue of this.#due) {
      let taken = 0;
      while (taken < queue.length && (queue[taken]?.atMs ?? Infinity) <= nowMs) this.#ask(queue[taken++]?.session);
      if (taken > 0) queue.splice(0, taken);
    }
    this.#goRound(nowMs);
  }

  /** Asks for every inbox. */
  all(): void {
    for (const session of this.connections.entered()) this.inbox.ask(session);
  }

  #goRound(nowMs: number): void {
    const share = Math.min(1, (nowMs - (this.#lastMs ?? nowMs)) / ROUND_MS);
    this.#lastMs = nowMs;
    const many = Math.ceil(this.connections.devices * share);
    for (let asked = 0; asked < many; asked++) {
      this.#round ??= this.connections.entered();
      const next = this.#round.next();
      if (next.done === true) {
        this.#round = undefined;
        return;
      }
      this.#ask(next.value);
    }
  }

  #ask(session: Session | undefined): void {
    if (session && !session.isClosed) this.inbox.ask(session);
  }
}
