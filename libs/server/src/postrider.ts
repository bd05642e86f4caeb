import { Operations } from './generated/operations';
import type { Access } from './calls/request';
import { DEFAULT_RETRY, type RetryOptions } from './calls/retry';
import type { PostriderError } from './postrider-error';
import { Transport } from './calls/transport';

/** The options of a client: an address, and the token of an application, of the operator, or both. */
export interface PostriderOptions extends Access {
  /** How often and after which waits a failed call is repeated, if that is safe. */
  retry?: Partial<RetryOptions>;
  /** How long one attempt of a call may take, in milliseconds; 0 for no limit. The default is a minute. Uploads have no limit. */
  timeoutMs?: number;
  /** Told before each repetition of a call: why the attempt failed, and after how many milliseconds the next one begins. */
  onRetry?: ((error: PostriderError, waitMs: number) => void) | undefined;
  /** Another `fetch` than the runtime's: for a proxy, or to observe requests. */
  fetch?: typeof fetch;
}

const DEFAULT_TIMEOUT_MS = 60_000;

/**
 * The API of a Postrider gateway for a backend: a method for every operation, named as in the API reference. A call that failed is repeated
 * if that cannot carry it out twice. Every failure is a `PostriderError`. A client holds no connection and needs no closing.
 */
export class Postrider extends Operations {
  /** @throws TypeError if an option cannot be used */
  constructor({ url, fetch: ownFetch, timeoutMs, retry, onRetry, ...access }: PostriderOptions) {
    super(
      new Transport({
        ...checked(access),
        url: baseOf(url),
        fetch: ownFetch ?? fetch,
        timeoutMs: checkNumber('timeoutMs', timeoutMs ?? DEFAULT_TIMEOUT_MS),
        retry: retryOf(retry),
        onRetry: onRetry ?? (() => undefined),
      }),
    );
  }
}

function baseOf(url: string): string {
  const parsed = typeof url === 'string' && URL.canParse(url) ? new URL(url) : null;
  if (parsed === null || !['http:', 'https:'].includes(parsed.protocol) || parsed.search !== '' || parsed.hash !== '') {
    throw new TypeError('url must be the address of the gateway, such as https://push.example.com');
  }
  return parsed.href.replace(/\/+$/, '');
}

function checked(access: Omit<Access, 'url'>): Omit<Access, 'url'> {
  for (const name of ['token', 'adminToken', 'appId'] as const) {
    const value: unknown = access[name];
    if (value !== undefined && (typeof value !== 'string' || !/^[\x21-\x7e]+$/.test(value))) {
      throw new TypeError(`${name} must be text without blanks`);
    }
  }
  return access;
}

function retryOf(given: Partial<RetryOptions> = {}): RetryOptions {
  const retry = { ...DEFAULT_RETRY, ...given };
  for (const name of ['maxRetries', 'leastMs', 'mostMs'] as const) checkNumber(`retry.${name}`, retry[name]);
  return retry;
}

function checkNumber(name: string, value: number): number {
  if (Number.isFinite(value) && value >= 0) return value;
  throw new TypeError(`${name} must be a number from 0`);
}
