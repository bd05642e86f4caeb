import { createContext, use } from 'react';
import type { MessageDraft } from '../../model/message-draft';
import type { FieldProblems } from '../../model/message-problems';
import type { Patch } from './use-draft';

/** What the parts of the compose page share. */
export interface Compose {
  draft: MessageDraft;
  patch: Patch;
  /** What is wrong with a field, once it is time to say so. */
  problemAt: (field: string) => string | undefined;
  problems: FieldProblems;
  /** Whether everything unfinished is marked. */
  marksAll: boolean;
  /** The user ids of the chosen file. */
  fileUsers: readonly string[] | null;
  setFileUsers: (users: readonly string[] | null) => void;
}

export const ComposeContext = createContext<Compose | null>(null);

/** The message being written. */
export function useCompose(): Compose {
  const compose = use(ComposeContext);
  if (compose === null) throw new Error('This part belongs into the compose page');
  return compose;
}
