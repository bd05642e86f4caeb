/** Identifiers of QoS 2 that a client may hold at once. */
const MOST_UNRELEASED = 100;

/**
 * The identifiers of publishes of QoS 2 that were accepted and not released yet (method A of MQTT 3.1.1 §4.3.3). Those of
 * the session's former connection count only for a publish with DUP, which a client has to set when it sends again
 * (§3.3.1-1): a client that lost its own state begins with the same identifiers for other messages.
 */
export class UnreleasedPublishes {
  readonly #own = new Set<number>();
  readonly #former = new Set<number>();

  /** True if no further publish may be accepted until the client releases one. */
  get isFull(): boolean {
    return this.#own.size >= MOST_UNRELEASED;
  }

  /** True if this publish was accepted before. */
  has({ messageId = 0, dup }: { messageId?: number | undefined; dup: boolean }): boolean {
    return this.#own.has(messageId) || (dup && this.#former.has(messageId));
  }

  /** A publish is accepted. */
  add(messageId: number): void {
    this.#former.delete(messageId);
    this.#own.add(messageId);
  }

  /** The client releases a publish. */
  release(messageId: number): void {
    this.#former.delete(messageId);
    this.#own.delete(messageId);
  }

  /** Continues a session. @param identifiers what its former connection left */
  resume(identifiers: readonly number[] | null): void {
    for (const identifier of identifiers ?? []) if (!this.#own.has(identifier)) this.#former.add(identifier);
  }

  /** The identifiers for the next connection, at most as many as a client may hold. Null: none. */
  left(): number[] | null {
    const identifiers = [...this.#former, ...this.#own].slice(-MOST_UNRELEASED);
    return identifiers.length === 0 ? null : identifiers;
  }
}
