import { IsOneOf } from './fields';

const FORMATS = ['json', 'csv'] as const;

/** What an answer can be written as. */
export type AnswerFormat = (typeof FORMATS)[number];

/** What the answer is to be, whatever the header `Accept` says. */
export function IsAnswerFormat(): PropertyDecorator {
  return IsOneOf(FORMATS, { description: 'replaces the header `Accept`' });
}
