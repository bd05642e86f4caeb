import type { ClientStorage } from './client-storage';

const DATABASE = 'postrider';
const STORE = 'values';

/** Keeps everything in IndexedDB, which pages and the service worker of an origin share. */
export class IndexedDbStorage implements ClientStorage {
  #database: Promise<Db> | null = null;

  constructor(private readonly factory: DbFactory) {}

  async read(key: string): Promise<string | null> {
    let found: string | null = null;
    await this.#transact('readonly', (store) => {
      const request = store.get(key);
      request.onsuccess = () => (found = request.result ?? null);
    });
    return found;
  }

  async update(key: string, change: (before: string | null) => string | null): Promise<void> {
    await this.#transact('readwrite', (store) => {
      const request = store.get(key);
      request.onsuccess = () => {
        const after = change(request.result ?? null);
        if (after === null) store.delete(key);
        else store.put(after, key);
      };
    });
  }

  /** A browser may close the database at any time, when its data are cleared for one: then it is opened again, once. */
  async #transact(mode: 'readonly' | 'readwrite', work: (store: DbStore) => void): Promise<void> {
    try {
      await transact(await this.#open(), mode, work);
    } catch (error) {
      if ((error as Error).name !== 'InvalidStateError') throw error;
      this.#database = null;
      await transact(await this.#open(), mode, work);
    }
  }

  #open(): Promise<Db> {
    this.#database ??= open(this.factory, () => (this.#database = null));
    this.#database.catch(() => (this.#database = null));
    return this.#database;
  }
}

function open(factory: DbFactory, onGone: () => void): Promise<Db> {
  return new Promise((done, fail) => {
    const opening = factory.open(DATABASE, 1);
    opening.onupgradeneeded = () => opening.result.createObjectStore(STORE);
    opening.onerror = () => fail(opening.error ?? new Error('IndexedDB cannot be opened'));
    opening.onblocked = () => fail(new Error('IndexedDB is blocked by another page'));
    opening.onsuccess = () => {
      const database = opening.result;
      database.onclose = onGone;
      database.onversionchange = () => {
        database.close();
        onGone();
      };
      done(database);
    };
  });
}

function transact(database: Db, mode: 'readonly' | 'readwrite', work: (store: DbStore) => void): Promise<void> {
  return new Promise((done, fail) => {
    const transaction = database.transaction(STORE, mode);
    transaction.oncomplete = () => done();
    transaction.onabort = () => fail(transaction.error ?? new Error('IndexedDB aborted the change'));
    work(transaction.objectStore(STORE));
  });
}

/* The parts of IndexedDB that are used: the package is compiled without the browser's types, and runs without a browser too. */

/** Something asked of a database. */
interface DbRequest<T> {
  result: T;
  error: Error | null;
  onsuccess: (() => void) | null;
  onerror: (() => void) | null;
}

/** The opening of a database. */
interface DbOpening extends DbRequest<Db> {
  onupgradeneeded: (() => void) | null;
  onblocked: (() => void) | null;
}

/** A database. */
interface Db {
  createObjectStore(name: string): unknown;
  transaction(store: string, mode: 'readonly' | 'readwrite'): DbTransaction;
  close(): void;
  onversionchange: (() => void) | null;
  onclose: (() => void) | null;
}

/** A transaction of one store. */
interface DbTransaction {
  objectStore(name: string): DbStore;
  error: Error | null;
  oncomplete: (() => void) | null;
  onabort: (() => void) | null;
}

/** A store of texts. */
interface DbStore {
  get(key: string): DbRequest<string | undefined>;
  put(value: string, key: string): unknown;
  delete(key: string): unknown;
}

/** The type of `indexedDB` in a browser. */
export interface DbFactory {
  open(name: string, version: number): DbOpening;
}
