import { DomainError } from '@postrider/domain';
import { uniqueViolation } from '@postrider/persistence';

/** An application has as many objects of a kind as it may have. */
export class TooMany extends DomainError {
  constructor(most: number, kind: string) {
    super('CONFLICT', `An application keeps at most ${most} ${kind}`);
  }
}

/** How a caller is told that there is one already. */
interface Taken {
  /** "A segment with this name exists". */
  message: string;
  /** The field of the request that is to have another value; left out: it is none of the fields. */
  field?: string;
}

/**
 * Writes an object of which an application has only one with that name or id.
 *
 * @throws DomainError CONFLICT if there is one already; the other errors of `write`
 */
export async function writeUnlessTaken<T>({ message, field }: Taken, write: () => Promise<T>): Promise<T> {
  try {
    return await write();
  } catch (error) {
    if (!uniqueViolation(error)) throw error;
    const details = field === undefined ? {} : { details: [{ path: field, message }] };
    throw new DomainError('CONFLICT', message, details);
  }
}
