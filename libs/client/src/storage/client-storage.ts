/**
 * Where a client keeps what has to outlive it: its installation, which messages it had, what it has yet to report. Keys and
 * values are text. Keep it apart for each person who uses a machine: it holds the id by which the device is known.
 */
export interface ClientStorage {
  /** The value, or null. */
  read(key: string): Promise<string | null>;
  /**
   * Replaces a value by what `change` makes of it; null removes it. Changes of one key come one after the other, whoever makes
   * them, and a change is kept once the promise is fulfilled. `change` may run more than once.
   */
  update(key: string, change: (before: string | null) => string | null): Promise<void>;
}

/** Keeps everything until the process ends: a device that starts again registers anew. */
export function memoryStorage(): ClientStorage {
  const values = new Map<string, string>();
  return {
    read: (key) => Promise.resolve(values.get(key) ?? null),
    update: (key, change) => {
      const after = change(values.get(key) ?? null);
      if (after === null) values.delete(key);
      else values.set(key, after);
      return Promise.resolve();
    },
  };
}
