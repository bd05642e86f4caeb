import { DomainError } from '@postrider/domain';
import { uniqueViolation } from '@postrider/persistence';

/** An application has as many objects of a kind as it may have. */
export class TooMany extends DomainError {
  constructor(most: number, kind: string) {
    super('CONFLICT', `An application keeps at most ${most} ${kind}`);
  }
}

/**
 * Writes an object of which an application has only one with that name or id.
 *
 * @param taken the message if there is one already: "A segment with this name exists"
 * @throws DomainError CONFLICT if there is one already; the other errors of `write`
 */
export async function writeUnlessTaken<T>(taken: string, write: () => Promise<T>): Promise<T> {
  try {
    return await write();
  } catch (error) {
    if (uniqueViolation(error)) throw new DomainError('CONFLICT', taken);
    throw error;
  }
}
