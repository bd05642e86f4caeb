import { Drop, type Emitter, toValue } from 'liquidjs';
import type { WorkBudget } from './work-budget';

/** Longer than any payload may be. */
export const MAX_OUTPUT = 16_384;

/** Collects the output of the parts of a template, up to a length. */
export class BoundedEmitter implements Emitter {
  buffer = '';

  constructor(private readonly budget: WorkBudget) {}

  /** @throws Error if the text becomes too long */
  write(value: unknown): void {
    const text = textOf(value);
    this.budget.use(text.length);
    this.buffer += text;
    if (this.buffer.length > MAX_OUTPUT) throw new Error(`writes more than ${MAX_OUTPUT} characters`);
  }
}

/** The text of a value in a template: empty for a missing value, the elements of a list one after the other. */
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
  // liquidjs' own objects (`empty`, `blank`) have a text; an object of data has none.
  return value instanceof Drop ? textOf(toValue(value)) : '';
}
