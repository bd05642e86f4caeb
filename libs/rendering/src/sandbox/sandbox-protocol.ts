import type { MessageFacts, PersonFacts } from '../templates/person-scope';

/** One template of a message, and its field. */
export interface TextSource {
  text: string;
  path: string;
}

/**
 * Here a sandbox writes one byte for each text or person that it begins (its place plus 1), and 0 when it is done. It
 * is read if the sandbox does not answer.
 */
export const PROGRESS_FD = 4;
/** As many as one byte can distinguish. */
export const MOST_AT_ONCE = 250;

/** Parse these texts. */
export interface InspectRequest {
  kind: 'inspect';
  texts: readonly string[];
}

/** Render a program for these people. */
export interface RenderRequest {
  kind: 'render';
  /** Names the program in this sandbox. */
  program: number;
  /** Null: this sandbox has it already. */
  load: { sources: readonly TextSource[]; facts: MessageFacts } | null;
  /** Programs that are no longer used. */
  forget: readonly number[];
  people: readonly PersonFacts[];
  now: Date;
  collectsMissing: boolean;
}

/** The requests to a sandbox. It answers one after the other. */
export type SandboxRequest = InspectRequest | RenderRequest;

/** The result of parsing a text: what it reads, or why it is not a valid template. */
export type Inspection =
  | { isTemplate: true; globals: string[]; attributes: string[] | null; variables: string[] | null }
  | { isTemplate: false; problem: string };

/** The texts of a program for one person, or the field that failed, and why. */
export type MadeTexts =
  { isMade: true; texts: string[]; missing: string[] } | { isMade: false; path: string; problem: string };

/** The answers. The answer to `render` may cover only the first few people, if their texts are long. */
export type SandboxAnswer = Inspection[] | MadeTexts[];
