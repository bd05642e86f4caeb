import type { Emitter } from 'liquidjs';
import { textOf } from './text-of';
import type { WorkBudget } from './work-budget';

/** Longer than any payload may be. */
export const MAX_OUTPUT = 16_384;

/** Takes what the parts of a template write, up to a length. */
export class BoundedEmitter implements Emitter {
  buffer = '';

  constructor(private readonly budget: WorkBudget) {}

  /** @throws Error when the text becomes too long */
  write(value: unknown): void {
    const text = textOf(value);
    this.budget.use(text.length);
    this.buffer += text;
    if (this.buffer.length > MAX_OUTPUT) throw new Error(`writes more than ${MAX_OUTPUT} characters`);
  }
}
