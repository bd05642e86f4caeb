import { withoutTrailing } from './without-trailing';

/** A number with this many digits may exceed a double. Strings do not match, because a quote precedes their digits. */
const MANY_DIGITS = /[:,[\s]-?\d[\d.]{14}\d/;
const TOKEN = /"[^"\\]*(?:\\.[^"\\]*)*"|-?\d[\d.eE+-]*|[{}[\],:]|[^\s{}[\],:"]+/g;
const NUMBER = /^(-?)(\d+)(?:\.(\d+))?(?:[eE]([+-]?\d+))?$/;
const MOST = 20;

/**
 * Finds integers that change when JSON is read into doubles: `9007199254740993` would be …992 (RFC 8259 §6).
 *
 * @param text valid JSON
 * @returns their paths, the first few: `data.id`, `[3].data.ids[0]`
 */
export function changedIntegers(text: string): string[] {
  return MANY_DIGITS.test(text) ? new Walk().through(text) : [];
}

/** Reads the tokens of a JSON text and keeps track of the path. */
class Walk {
  readonly #found: string[] = [];
  /** The current path: the index in each array, the key in each object. */
  readonly #places: (string | number)[] = [];
  #isKeyNext = false;

  through(text: string): string[] {
    for (const [token] of text.matchAll(TOKEN)) {
      this.#step(token);
      if (this.#found.length >= MOST) break;
    }
    return this.#found;
  }

  #step(token: string): void {
    if (token === '{' || token === '[') this.#enter(token);
    else if (token === '}' || token === ']') this.#leave();
    else if (token === ',') this.#next();
    else if (this.#isKeyNext && token.startsWith('"')) this.#name(token);
    else if (/^[-\d]/.test(token) && isChanged(token)) this.#found.push(this.#path());
  }

  #enter(token: '{' | '['): void {
    this.#places.push(token === '{' ? '' : 0);
    this.#isKeyNext = token === '{';
  }

  #leave(): void {
    this.#places.pop();
    this.#isKeyNext = false;
  }

  #next(): void {
    const place = this.#places.pop();
    this.#places.push(typeof place === 'number' ? place + 1 : '');
    this.#isKeyNext = typeof place !== 'number';
  }

  #name(token: string): void {
    this.#places[this.#places.length - 1] = JSON.parse(token) as string;
    this.#isKeyNext = false;
  }

  #path(): string {
    return this.#places.reduce<string>((path, place) => {
      if (typeof place === 'number') return `${path}[${place}]`;
      return path === '' ? place : `${path}.${place}`;
    }, '');
  }
}

function isChanged(literal: string): boolean {
  const written = decimalOf(literal);
  if (written === null || written.exponent < 0) return false;
  const read = decimalOf(String(Number(literal)));
  return read !== null && (read.digits !== written.digits || read.exponent !== written.exponent);
}

/** The digits of a number without zeros at either end, and the power of ten behind them. */
function decimalOf(literal: string): { digits: string; exponent: number } | null {
  const [, sign, whole, fraction = '', power = '0'] = NUMBER.exec(literal) ?? [];
  if (whole === undefined) return null;
  const all = (whole + fraction).replace(/^0+/, '');
  const digits = withoutTrailing(all, '0');
  if (digits === '') return { digits: '0', exponent: 0 };
  return { digits: `${sign ?? ''}${digits}`, exponent: Number(power) - fraction.length + all.length - digits.length };
}
