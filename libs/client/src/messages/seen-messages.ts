import type { ClientStorage } from '../storage/client-storage';
import { StoredList } from '../storage/stored-list';

/** How many ids are remembered: more than ever wait for a device at a time. */
const MOST = 1_000;

/** Remembers, beyond a restart, which messages were dealt with, so that each is dealt with once, whichever way it came. */
export class SeenMessages {
  readonly #ids: StoredList<string>;

  /** @param purpose what is done once: `received` or `shown` */
  constructor(storage: ClientStorage, appId: string, purpose: 'received' | 'shown') {
    this.#ids = new StoredList(storage, `postrider:${appId}:${purpose}`, MOST);
  }

  async has(id: string): Promise<boolean> {
    return (await this.#ids.read()).includes(id);
  }

  /** Remembers an id. @returns whether it was new, to whoever asks first */
  async add(id: string): Promise<boolean> {
    let isNew = true;
    await this.#ids.update((ids) => {
      isNew = !ids.includes(id);
      return isNew ? [...ids, id] : ids;
    });
    return isNew;
  }
}
