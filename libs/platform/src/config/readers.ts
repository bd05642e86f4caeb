import { isIP } from 'node:net';
import { ConfigError } from './config-error';

/** Reads one variable's text, or throws a `ConfigError` that says what it expects. */
export type Reader<T> = (name: string, text: string | undefined) => T;

/** A whole number between `min` and `max`. */
export function integer(fallback: number, min: number, max: number): Reader<number> {
  return (name, text) => {
    if (text === undefined) return fallback;
    const value = Number(text);
    if (!/^\d+$/.test(text) || value < min || value > max) {
      throw new ConfigError(name, `a whole number from ${min} to ${max}`, text);
    }
    return value;
  };
}

/** A number, fractions allowed, between `min` and `max`. */
export function decimal(fallback: number, min: number, max: number): Reader<number> {
  return (name, text) => {
    if (text === undefined) return fallback;
    const value = Number(text);
    if (!/^\d+(\.\d+)?$/.test(text) || value < min || value > max) {
      throw new ConfigError(name, `a number from ${min} to ${max}`, text);
    }
    return value;
  };
}

/** `true` or `false` (also `1`/`0`). */
export function flag(fallback: boolean): Reader<boolean> {
  return (name, text) => {
    if (text === undefined) return fallback;
    if (text === 'true' || text === '1') return true;
    if (text === 'false' || text === '0') return false;
    throw new ConfigError(name, 'true or false', text);
  };
}

/** Accepts one of a few words. */
export function oneOf<const T extends string>(words: readonly T[], fallback: T): Reader<T> {
  return (name, text) => {
    if (text === undefined) return fallback;
    const found = words.find((word) => word === text);
    if (found === undefined) throw new ConfigError(name, words.join(', '), text);
    return found;
  };
}

/** Text that may be left out. */
export const optionalText: Reader<string | undefined> = (_name, text) => text;

/** An http or https URL to which paths are appended, so it has no query and no fragment. It may be left out. */
export const baseAddress: Reader<string | undefined> = (name, text) => {
  if (text === undefined || (/^https?:\/\/[^?#]+$/.test(text) && URL.canParse(text))) return text;
  throw new ConfigError(name, 'a URL (http://…, https://…) without ? and #', text);
};

/** An address that servers listen on, or the name of one. */
export function listenAddress(fallback: string): Reader<string> {
  return (name, text) => {
    if (text === undefined) return fallback;
    if (isIP(text) === 0 && !HOST_NAME.test(text)) {
      throw new ConfigError(name, 'an IP address or a host name', text);
    }
    return text;
  };
}

/** Labels of letters, digits, `-` and `_`. The last one has a letter, or else it is a bad IPv4 address. */
const HOST_NAME = /^(?:[\w-]{1,63}\.)*(?=[\d_-]*[a-z])[\w-]{1,63}$/i;

/** Text of at least `min` characters that may be left out. */
export function optionalSecret(min: number): Reader<string | undefined> {
  const read = requiredSecret(min);
  return (name, text) => (text === undefined ? undefined : read(name, text));
}

/** Text of at least `min` characters that must be there. */
export function requiredSecret(min: number): Reader<string> {
  return (name, text) => {
    if (text === undefined) throw new ConfigError(name, `at least ${min} characters`, undefined);
    if (text.length < min) throw new ConfigError(name, `at least ${min} characters`, '*'.repeat(text.length));
    return text;
  };
}

/** Text that the header Authorization can carry: a client would send it without a line break or a space at its end. */
export function bearerToken(min: number): Reader<string> {
  const read = requiredSecret(min);
  return (name, text) => {
    const token = read(name, text);
    if (/[\u0000-\u001f\u007f]|^\s|\s$/.test(token)) {
      const expected = `at least ${min} characters, without line breaks, and without spaces at its ends`;
      throw new ConfigError(name, expected, '*'.repeat(token.length));
    }
    return token;
  };
}
