import { InvalidRequest } from '@postrider/domain';

/**
 * Whether a send is only to be tried (`?dryRun=true`).
 *
 * @throws InvalidRequest on any other text than a boolean, and when it comes twice: a misspelled dry run must not send
 */
export function isDryRun(query: unknown): boolean {
  const text = (query as Record<string, unknown> | null)?.dryRun;
  if (text === undefined || text === 'false' || text === '0') return false;
  if (text === 'true' || text === '1') return true;
  throw new InvalidRequest([{ path: 'dryRun', message: 'must be true or false' }]);
}
