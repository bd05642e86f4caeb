import type { ClientStorage } from './client-storage';

/** A list that is kept in a storage, bounded: the oldest entries go first. What cannot be read counts as an empty list. */
export class StoredList<T> {
  constructor(
    private readonly storage: ClientStorage,
    private readonly key: string,
    private readonly most: number,
  ) {}

  /** The entries, oldest first. */
  async read(): Promise<T[]> {
    return parse<T>(await this.storage.read(this.key));
  }

  /** Changes the list as a whole, and no other change comes in between. `change` may run more than once. */
  async update(change: (entries: T[]) => T[]): Promise<void> {
    await this.storage.update(this.key, (before) => {
      const after = change(parse<T>(before)).slice(-this.most);
      return after.length === 0 ? null : JSON.stringify(after);
    });
  }
}

function parse<T>(text: string | null): T[] {
  try {
    const value: unknown = text === null ? [] : JSON.parse(text);
    return Array.isArray(value) ? (value as T[]) : [];
  } catch {
    return [];
  }
}
