import type { Context } from './context';

/**
 * Makes the action of a command: it gets the context, the options of the command and the words after it; `Words` ends with the
 * command itself.
 */
// eslint-disable-next-line @typescript-eslint/no-explicit-any -- commander hands over what the command declared
export type Runner = <Options, Words extends any[]>(
  work: (context: Context, options: Options, ...words: Words) => void | Promise<void>,
) => (...given: unknown[]) => Promise<void>;
