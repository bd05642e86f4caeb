import { sqlState } from './unique-violation';

/** The code of the triggers that guard a user who is being erased (migration `Erasures`). */
const BEING_ERASED = 'PR001';

/** Whether PostgreSQL wrote nothing because a user of the statement is being erased: the same works when that has ended. */
export function isBeingErased(error: unknown): boolean {
  return sqlState(error) === BEING_ERASED;
}
