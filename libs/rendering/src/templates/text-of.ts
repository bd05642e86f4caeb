import { Drop, toValue } from 'liquidjs';

/** A value as a template writes it: nothing for what is not there, the elements of a list one after the other. */
export function textOf(value: unknown): string {
  switch (typeof value) {
    case 'string':
      return value;
    case 'number':
    case 'boolean':
    case 'bigint':
      return String(value);
    case 'object':
      return textOfObject(value);
    default:
      return '';
  }
}

function textOfObject(value: object | null): string {
  if (Array.isArray(value)) return value.map(textOf).join('');
  // liquidjs' own objects (`empty`, `blank`) say what they are; an object of data has no text.
  return value instanceof Drop ? textOf(toValue(value)) : '';
}
