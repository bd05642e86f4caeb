/** What a code of Huawei Push Kit means. */
export type HmsErrorClass =
  | 'accepted'
  /** Only the tokens listed in `msg` are dead; the others were taken. */
  | 'partial'
  | 'token_invalid'
  | 'request_invalid'
  | 'config'
  | 'throttled'
  | 'retryable'
  | 'auth_refresh';

/** By the `code` in the body; errors come with HTTP 200 too. */
export const HMS_CODES: Readonly<Record<string, HmsErrorClass>> = {
  '80000000': 'accepted',
  '80100000': 'partial',
  '80100001': 'request_invalid',
  '80100003': 'request_invalid',
  '80100004': 'request_invalid',
  '80100013': 'request_invalid',
  '80100016': 'request_invalid',
  '80100017': 'throttled',
  '80100018': 'request_invalid',
  '80200001': 'auth_refresh',
  '80200003': 'auth_refresh',
  '80200005': 'auth_refresh',
  '80300002': 'config',
  '80300007': 'token_invalid',
  '80300008': 'request_invalid',
  '80300010': 'request_invalid',
  '80300011': 'config',
  '80300013': 'config',
  // Huawei's own sign-in service has a fault.
  '80600003': 'retryable',
  '81000001': 'retryable',
};

/** By HTTP status, where the body has no code of the table. */
export function classOfHmsStatus(status: number): HmsErrorClass {
  if (status === 401) return 'auth_refresh';
  if (status === 403 || status === 404) return 'config';
  if (status === 429 || status === 503) return 'throttled';
  if (status === 408 || status >= 500) return 'retryable';
  return 'request_invalid';
}
