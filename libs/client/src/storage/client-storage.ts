/**
 * The storage of data that must outlive a client: its installation, the messages that it had, the reports that it has
 * not sent yet. Keys and values are text. Keep it apart for each person who uses a machine: it holds the id by which
 * the device is known.
 */
export interface ClientStorage {
  /** The value, or null. */
  read(key: string): Promise<string | null>;
  /**
   * Replaces a value by the result of `change`; null removes it. Changes of one key come one after the other, whichever
   * caller makes them, and a change is stored when the promise is fulfilled. `change` may run more than once.
   */
  update(key: string, change: (before: string | null) => string | null): Promise<void>;
}

/**
 * Keeps all changes until the process ends, in front of a storage that can be read and not be written, such as a full
 * one: the device is still known.
 */
export function memoryInFrontOf(behind: ClientStorage): ClientStorage {
  const changed = new Map<string, string | null>();
  const latest = (key: string, stored: string | null): string | null =>
    changed.has(key) ? (changed.get(key) ?? null) : stored;
  return {
    read: async (key) => {
      const stored = await behind.read(key);
      return latest(key, stored);
    },
    update: async (key, change) => {
      const stored = await behind.read(key);
      changed.set(key, change(latest(key, stored)));
    },
  };
}

/** Keeps everything until the process ends: a device that starts again registers as a new one. */
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
