import type { Logger } from '@postrider/platform';
import { isDatabaseUnavailable } from './is-database-unavailable';
import { isCollision, isLockedOut } from './retried-transaction';
import { isBeingErased } from './sql-state';

/** Works a batch of requests in one transaction: an error undoes all of it. Null: this request has to be done alone. */
type Work<Item, Answer> = (items: Item[]) => Promise<readonly (Answer | null)[]>;

/**
 * Makes the work of a batch whose items their callers can also do one by one. When the batch fails, nothing was done, and every item
 * is answered null: its caller does it alone.
 *
 * @param name what the log calls the batch
 * @throws the database's error when it is unavailable: nobody knows then what was done
 */
export function orAlone<Item, Answer>(name: string, work: Work<Item, Answer>, logger: Logger): Work<Item, Answer> {
  return async (items) => {
    try {
      return await work(items);
    } catch (error) {
      if (isDatabaseUnavailable(error) && !isCollision(error) && !isLockedOut(error)) throw error;
      if (!isBeingErased(error)) logger.warn({ err: error, batch: name, size: items.length }, 'batch.failed');
      return items.map(() => null);
    }
  };
}
