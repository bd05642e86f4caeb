/* The parts of IndexedDB that are used: the package is compiled without the browser's types, and runs without a browser too. */

/** Something asked of a database. */
export interface DbRequest<T> {
  result: T;
  error: Error | null;
  onsuccess: (() => void) | null;
  onerror: (() => void) | null;
}

/** The opening of a database. */
export interface DbOpening extends DbRequest<Db> {
  onupgradeneeded: (() => void) | null;
  onblocked: (() => void) | null;
}

/** A database. */
export interface Db {
  createObjectStore(name: string): unknown;
  transaction(store: string, mode: 'readonly' | 'readwrite'): DbTransaction;
  close(): void;
  onversionchange: (() => void) | null;
  onclose: (() => void) | null;
}

/** A transaction of one store. */
export interface DbTransaction {
  objectStore(name: string): DbStore;
  error: Error | null;
  oncomplete: (() => void) | null;
  onabort: (() => void) | null;
}

/** A store of texts. */
export interface DbStore {
  get(key: string): DbRequest<string | undefined>;
  put(value: string, key: string): unknown;
  delete(key: string): unknown;
}

/** What `indexedDB` is in a browser. */
export interface DbFactory {
  open(name: string, version: number): DbOpening;
}
