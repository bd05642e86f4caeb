import { createContext, use, useCallback, useEffect, useRef, useState } from 'react';
import { keepWritten, readWritten, useTabKey } from '../../components/tab-store';
import { type MessageDraft, newMessage, type VariantDraft } from '../../model/message-draft';
import type { FieldProblems } from '../../model/message-problems';

/** The shared state of the compose page's parts. */
export interface Compose {
  draft: MessageDraft;
  patch: Patch;
  /** Returns the problem of a field, when it is time to show it. */
  problemAt: (field: string) => string | undefined;
  problems: FieldProblems;
  /** True if everything unfinished is marked. */
  marksAll: boolean;
  /** True if a field whose name begins so is shown as wrong. */
  isMarked: (prefix: string) => boolean;
  /** The key of the variant that is looked at; null: none was chosen. */
  variant: string | null;
  showVariant: (key: string | null) => void;
  /** The language that is looked at, which the message may not have yet; '': the default, or for a user their own. */
  language: string;
  showLanguage: (tag: string) => void;
  /** The user ids of the chosen file. */
  fileUsers: readonly string[] | null;
  setFileUsers: (users: readonly string[] | null) => void;
}

export const ComposeContext = createContext<Compose | null>(null);

/** The message being written. */
export function useCompose(): Compose {
  const compose = use(ComposeContext);
  if (compose === null) throw new Error('This part belongs to the compose page');
  return compose;
}

/** The variant that is looked at; undefined: there is none. */
export function useShownVariant(): VariantDraft | undefined {
  const { draft, variant } = useCompose();
  return draft.variants.find(({ key }) => key === variant) ?? draft.variants[0];
}

/** Changes some fields of a draft. */
type Patch = (changes: Partial<MessageDraft>) => void;

/**
 * The message that is being written in this tab: it survives a reload, and is gone with the tab, or when the person signs out.
 *
 * @param start what takes the place of what was written; null: nothing
 */
export function useDraft(start: MessageDraft | null): {
  draft: MessageDraft;
  patch: Patch;
  startAnew: (draft?: MessageDraft) => void;
} {
  const key = useTabKey(NAME);
  const [draft, setDraft] = useState(() => start ?? keptDraft(key));
  // The draft to keep when the page closes: a draft that was just sent is replaced and the page left before it renders
  // again.
  const latest = useRef(draft);
  useEffect(() => {
    const timer = setTimeout(() => keepWritten(key, latest.current), 300);
    return () => {
      clearTimeout(timer);
      keepWritten(key, latest.current);
    };
  }, [key, draft]);
  const isShown = useRef(true);
  useEffect(() => {
    isShown.current = true;
    return () => {
      isShown.current = false;
    };
  }, []);
  const replace = useCallback(
    (next: MessageDraft) => {
      latest.current = next;
      setDraft(next);
      // What was saved last is known after the page was left, while no other message stands here.
      if (!isShown.current && keptDraft(key).draftId === next.draftId) keepWritten(key, next);
    },
    [key],
  );
  const patch = useCallback<Patch>((changes) => replace({ ...latest.current, ...changes }), [replace]);
  const startAnew = useCallback(
    (next: MessageDraft = newMessage(newDraftId())) => {
      replace(next);
      keepWritten(key, next);
    },
    [key, replace],
  );
  return { draft, patch, startAnew };
}

/** A name that no other draft has. */
export function newDraftId(): string {
  return `panel-${crypto.getRandomValues(new Uint32Array(4)).join('-')}`;
}

/** The draft that was written in this tab. */
export function useKeptDraft(): MessageDraft {
  return keptDraft(useTabKey(NAME));
}

const NAME = 'message';

function keptDraft(key: string): MessageDraft {
  const empty = newMessage(newDraftId());
  const kept = readWritten<Partial<MessageDraft>>(key);
  if (kept === null) return empty;
  return { ...empty, ...kept, audience: { ...empty.audience, ...kept.audience } };
}
