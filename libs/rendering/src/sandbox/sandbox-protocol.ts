import type { MessageFacts, PersonFacts } from '../personal/person-scope';

/** One template of a message, and the field it stands in. */
export interface TextSource {
  text: string;
  path: string;
}

/**
 * Where a sandbox writes, one byte each, which text or person of a request it begins (its place plus 1), and 0 when it is
 * done. It is read when the sandbox does not answer.
 */
export const PROGRESS_FD = 4;
/** As many as a byte can tell apart. */
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
  /** Programs that are not asked for any more. */
  forget: readonly number[];
  people: readonly PersonFacts[];
  now: Date;
  collectsMissing: boolean;
}

/** What a sandbox can be asked. It answers one request after the other. */
export type SandboxRequest = InspectRequest | RenderRequest;

/** What parsing a text came to: what it reads, or why it is no template. */
export type Inspection =
  | { isTemplate: true; globals: string[]; attributes: string[] | null; variables: string[] | null }
  | { isTemplate: false; problem: string };

/** What the texts of a program came to for one person, or in which field it went wrong, and how. */
export type MadeTexts =
  { isMade: true; texts: string[]; missing: string[] } | { isMade: false; path: string; problem: string };

/** The answers; that to `render` may be about the first few people only, when their texts are long. */
export type SandboxAnswer = Inspection[] | MadeTexts[];
