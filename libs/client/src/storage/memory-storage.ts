import type { ClientStorage } from './client-storage';

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
