import { DomainError } from '@postrider/domain';

/** The one answer for no, an unknown, a revoked and a foreign token: nothing tells them apart. */
export function unauthorized(): DomainError {
  return new DomainError('UNAUTHORIZED', 'A valid access token is required');
}
