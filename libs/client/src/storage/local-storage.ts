import type { ClientStorage } from './client-storage';

/** The part of the browser's `Storage` that is used. */
export interface WebStorage {
  getItem(key: string): string | null;
  setItem(key: string, value: string): void;
  removeItem(key: string): void;
}

/** Keeps everything in `localStorage`. A service worker cannot look into it: `browserStorage` is the better choice. */
export function localStorageOf(storage: WebStorage): ClientStorage {
  return {
    read: (key) => attempt(() => storage.getItem(key)),
    update: (key, change) =>
      attempt(() => {
        const after = change(storage.getItem(key));
        if (after === null) storage.removeItem(key);
        else storage.setItem(key, after);
      }),
  };
}

/** A full or forbidden storage throws at once; here it refuses a promise. */
function attempt<T>(work: () => T): Promise<T> {
  return Promise.resolve().then(work);
}
