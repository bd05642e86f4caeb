import { type ClientStorage, memoryInFrontOf, memoryStorage } from './client-storage';
import { type DbFactory, IndexedDbStorage } from './indexed-db-storage';
import { Turns } from './turns';

/** The places where a browser may store something. */
export interface StorageGlobals {
  indexedDB?: DbFactory;
  localStorage?: WebStorage;
}

/** Written once to see whether a storage takes anything. */
const PROBE = 'postrider:probe';

/**
 * Stores everything where this browser allows it: in IndexedDB, which the service worker shares, else in
 * `localStorage`, else in memory. What is stored where nothing can be written, because it is full, is still read; changes
 * are in memory then. Outside a browser it is memory.
 */
export function browserStorage(globals: StorageGlobals = globalThis as StorageGlobals): ClientStorage {
  const chosen = choose(globals);
  return {
    read: async (key) => (await chosen).read(key),
    update: async (key, change) => (await chosen).update(key, change),
  };
}

async function choose(globals: StorageGlobals): Promise<ClientStorage> {
  for (const make of [databaseOf, localOf]) {
    try {
      const storage = make(globals);
      // A private window may offer a storage that refuses everything.
      if (storage) await storage.update(PROBE, () => null);
      if (storage) return (await takesValues(storage)) ? storage : memoryInFrontOf(storage);
    } catch {
      continue;
    }
  }
  return memoryStorage();
}

/** A full storage takes nothing more; values may still be read and removed. */
function takesValues(storage: ClientStorage): Promise<boolean> {
  const written = storage.update(PROBE, () => '1').then(() => storage.update(PROBE, () => null));
  return written.then(
    () => true,
    () => false,
  );
}

function databaseOf({ indexedDB }: StorageGlobals): ClientStorage | null {
  return indexedDB ? new IndexedDbStorage(indexedDB) : null;
}

/** Only a window has one of its own: Node.js offers one that a process would share with every other. */
function localOf(globals: StorageGlobals): ClientStorage | null {
  return 'document' in globals && globals.localStorage ? localStorageOf(globals.localStorage) : null;
}

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

/** A storage that answers later: `AsyncStorage` of React Native, or one with the same methods. */
export interface AsyncTextStorage {
  getItem(key: string): Promise<string | null>;
  setItem(key: string, value: string): Promise<unknown>;
  removeItem(key: string): Promise<unknown>;
}

/**
 * Keeps everything in a storage that answers later. Changes come one after the other. Make one for each process: two that write to the
 * same storage do not wait for each other.
 */
export function asyncStorageOf(storage: AsyncTextStorage): ClientStorage {
  const turns = new Turns();
  return {
    read: (key) => turns.run(async () => (await storage.getItem(key)) ?? null),
    update: (key, change) =>
      turns.run(async () => {
        const before = (await storage.getItem(key)) ?? null;
        const after = change(before);
        if (after === before) return;
        await (after === null ? storage.removeItem(key) : storage.setItem(key, after));
      }),
  };
}

/** A full or forbidden storage throws at once; here it refuses a promise. */
function attempt<T>(work: () => T): Promise<T> {
  return Promise.resolve().then(work);
}
