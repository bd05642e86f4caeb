import type { Context } from './context';

/**
 * Wraps a command's action: it receives the context, the options and the positional arguments.
 */
// eslint-disable-next-line @typescript-eslint/no-explicit-any -- commander hands over what the command declared
export type Runner = <Options, Words extends any[]>(
  work: (context: Context, options: Options, ...words: Words) => void | Promise<void>,
) => (...given: unknown[]) => Promise<void>;
