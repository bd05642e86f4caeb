import type { Logger } from '@postrider/platform';
import { isDatabaseUnavailable } from './is-database-unavailable';
import { isCollision } from './retried-transaction';
import { isBeingErased, isLockedOut } from './sql-state';

/** Runs a batch of requests in one transaction. An error rolls all of it back. Null: this request has to run alone. */
type Work<Item, Answer> = (items: Item[]) => Promise<readonly (Answer | null)[]>;

/**
 * Returns a batch function for items that their callers can also run one by one. If the batch fails, nothing was
 * written, and every item is answered null: its caller runs it alone.
 *
 * @param name the name of the batch in the log
 * @throws the error of the database if it is unavailable: then nobody knows what was written
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
