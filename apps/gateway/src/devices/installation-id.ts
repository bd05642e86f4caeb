import { DomainError } from '@postrider/domain';

/** The answer for an installation that is not known in this application. */
export function unknownInstallation(): DomainError {
  return new DomainError('NOT_FOUND', 'There is no such installation');
}
