/** The shape that a JSON value must have. */
export type Shape =
  | { kind: 'text'; pattern?: RegExp; expected?: string }
  | { kind: 'flag' }
  | { kind: 'number'; isWhole: boolean; min: number; max: number }
  | { kind: 'word'; words: readonly (string | number)[] }
  | { kind: 'list'; of: Shape; most: number }
  | { kind: 'map'; of: Shape }
  | { kind: 'object'; fields: ReadonlyMap<string, Shape>; required: readonly string[] }
  | { kind: 'free' };

/** A string, of the given pattern if there is one. */
export function text(pattern?: RegExp, expected?: string): Shape {
  return { kind: 'text', ...(pattern && { pattern }), ...(expected !== undefined && { expected }) };
}

/** True or false. */
export const flag: Shape = { kind: 'flag' };

/** A whole number. */
export function whole(min = Number.MIN_SAFE_INTEGER, max = Number.MAX_SAFE_INTEGER): Shape {
  return { kind: 'number', isWhole: true, min, max };
}

/** Any number between two. */
export function between(min: number, max: number): Shape {
  return { kind: 'number', isWhole: false, min, max };
}

/** One of a few values. */
export function word(...words: (string | number)[]): Shape {
  return { kind: 'word', words };
}

/** An array. */
export function list(of: Shape, most = Number.MAX_SAFE_INTEGER): Shape {
  return { kind: 'list', of, most };
}

/** An object with keys of the caller's choice. */
export function map(of: Shape): Shape {
  return { kind: 'map', of };
}

/** An object with these fields and no others. */
export function object(fields: Record<string, Shape>, required: readonly string[] = []): Shape {
  return { kind: 'object', fields: new Map(Object.entries(fields)), required };
}

/** An object of which nothing is asked. */
export const free: Shape = { kind: 'free' };
