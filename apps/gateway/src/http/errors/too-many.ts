import { DomainError } from '@postrider/domain';

/** An application has as many objects of a kind as it may have. */
export class TooMany extends DomainError {
  constructor(most: number, kind: string) {
    super('CONFLICT', `An application keeps at most ${most} ${kind}`);
  }
}
