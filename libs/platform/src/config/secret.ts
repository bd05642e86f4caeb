import { inspect } from 'node:util';

/** A value that must never be printed: logs, JSON and string templates show `***`; `reveal()` is the only way to it. */
export class Secret<T = string> {
  readonly #value: T;

  constructor(value: T) {
    this.#value = value;
  }

  /** The value itself. Call it where the value is used, never where it is stored or passed on. */
  reveal(): T {
    return this.#value;
  }

  toString(): string {
    return '***';
  }

  toJSON(): string {
    return '***';
  }

  [inspect.custom](): string {
    return '***';
  }
}
