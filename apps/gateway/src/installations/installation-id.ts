import { DomainError } from '@postrider/domain';

const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i;

/** Whether a text can be the id of something stored here; any other text is the id of nothing. */
export function isUuid(text: string): boolean {
  return UUID.test(text);
}

/** The answer for an installation that is not known in this application. */
export function unknownInstallation(): DomainError {
  return new DomainError('NOT_FOUND', 'There is no such installation');
}
