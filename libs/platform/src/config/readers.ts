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

/** A URL of one of the given schemes; required when `required`. */
export function url(schemes: readonly string[], required: true): Reader<string>;
export function url(schemes: readonly string[], required: false): Reader<string | undefined>;
export function url(schemes: readonly string[], required: boolean): Reader<string | undefined> {
  return (name, text) => {
    const expected = `a URL (${schemes.map((scheme) => `${scheme}://…`).join(', ')})`;
    if (text === undefined) {
      if (required) throw new ConfigError(name, expected, undefined);
      return undefined;
    }
    if (!schemes.some((scheme) => text.startsWith(`${scheme}://`))) throw new ConfigError(name, expected, text);
    return text;
  };
}

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
