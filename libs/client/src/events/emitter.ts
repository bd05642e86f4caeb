/** Ends a subscription to an event. */
export type Unsubscribe = () => void;

type Listener<T> = (what: T) => void;

/** Tells listeners about events, in their order. A listener that throws does not keep events from the others. */
export class Emitter<Events extends object> {
  readonly #listeners = new Map<keyof Events, Set<Listener<never>>>();

  /** @param onThrown is called with the errors of listeners */
  constructor(private readonly onThrown: (error: unknown) => void) {}

  /** Adds a listener. @returns a function that removes it */
  on<Name extends keyof Events>(name: Name, listener: Listener<Events[Name]>): Unsubscribe {
    const listeners = this.#listeners.get(name) ?? new Set();
    this.#listeners.set(name, listeners.add(listener));
    return () => void listeners.delete(listener);
  }

  /** @returns true if anybody listened */
  emit<Name extends keyof Events>(name: Name, what: Events[Name]): boolean {
    const listeners = [...(this.#listeners.get(name) ?? [])] as unknown as Listener<Events[Name]>[];
    for (const listener of listeners) {
      try {
        listener(what);
      } catch (error) {
        this.onThrown(error);
      }
    }
    return listeners.length > 0;
  }
}
