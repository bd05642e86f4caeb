import { useCallback, useEffect, useRef, useState } from 'react';
import { ApiError, isEditConflict, mayPass } from '../../api/api-error';
import { keyOf, useApi, useAppId } from '../../api/client';
import { gatewayNow } from '../../api/gateway-clock';
import { meetFailure } from '../../api/session';
import type { DraftResponse } from '@postrider/server/document';
import { useQueryClient } from '@tanstack/react-query';
import { isBlank, isStored, type MessageDraft, type SavedAs } from '../../model/message-draft';
import { nameOfMine, storeDraft } from './store-draft';

/** A draft is saved this long after the last key press. */
const RESTING_MS = 1_200;

/** A draft that could not be saved is tried again after this long, and when the browser is on line again. */
const AGAIN_MS = 10_000;

/** The state of a draft on the server. */
export interface Saving {
  state: 'blank' | 'unsaved' | 'saving' | 'saved' | 'conflict' | 'failed';
  /** When it was last saved from here, by the gateway's clock, in milliseconds since 1970. */
  savedAt: number | null;
  /** What somebody else has saved in the meantime, with `conflict`; null: they have sent or deleted it. */
  theirs: DraftResponse | null;
  error: Error | null;
  /**
   * Saves at once what is not saved yet.
   *
   * @returns what the draft is saved as, perhaps without the last words; null: it is not
   * @throws ApiError when somebody else has saved, sent or deleted it in the meantime
   */
  flush: () => Promise<SavedAs | null>;
  /** Takes note of the answer to a send that names a draft which somebody else has saved, sent or deleted. */
  meet: (error: Error | null) => void;
  /** After a conflict: keeps the content of this page as a draft of its own. */
  keepMine: () => void;
}

/**
 * Saves a draft on the server while it is written. It saves over the revision that it was made from: if another person
 * has saved a new one, it stops and says so.
 * @param isOn true if it saves by itself; false during a review
 */
export function useSavedDraft(
  draft: MessageDraft,
  patch: (changes: Partial<MessageDraft>) => void,
  isOn: boolean,
): Saving {
  const api = useApi();
  const appId = useAppId();
  const client = useQueryClient();
  const [status, setStatus] = useState<Pick<Saving, 'state' | 'savedAt' | 'theirs' | 'error'>>(STILL);
  const isKept = isBlank(draft) || isStored(draft);
  const latest = useRef(draft);
  useEffect(() => {
    latest.current = draft;
  }, [draft]);
  const running = useRef<Promise<SavedAs | null>>(Promise.resolve(null));
  const save = useCallback(async (): Promise<SavedAs | null> => {
    const now = latest.current;
    if (isBlank(now)) return null;
    if (isStored(now)) return now.saved ?? null;
    setStatus((before) => ({ ...before, state: 'saving', error: null }));
    try {
      const saved = await storeDraft(api, now);
      // Another message may stand here by now.
      if (latest.current.draftId !== now.draftId) return saved;
      latest.current = { ...latest.current, saved };
      patch({ saved });
      setStatus({ state: 'saved', savedAt: gatewayNow(), theirs: null, error: null });
      for (const path of ['/api/drafts', '/api/drafts/{id}'] as const) {
        void client.invalidateQueries({ queryKey: keyOf(appId, path) });
      }
      return saved;
    } catch (error) {
      meetFailure(client, error);
      const failure = failureOf(error);
      setStatus((before) => ({ ...before, ...failure }));
      if (failure.state === 'conflict') throw new ApiError(DECIDE_FIRST, 409, 'EDIT_CONFLICT');
      return now.saved ?? null;
    }
  }, [api, appId, client, patch]);
  const flush = useCallback((): Promise<SavedAs | null> => {
    running.current = running.current.then(save, save);
    return running.current;
  }, [save]);
  // Another message: forget what was known of the former one.
  useEffect(() => setStatus(STILL), [draft.draftId]);
  const isConflict = status.state === 'conflict';
  const isUnsaved = isOn && !isConflict && !isKept;
  useSavingByItself(draft, isUnsaved, flush);
  useSavingAgain(isUnsaved && status.state === 'failed' && mayPass(status.error), flush);
  useQuestionBeforeClosing(!isKept && (isConflict || status.state === 'failed'));
  const meet = useCallback((error: Error | null) => {
    if (!isEditConflict(error)) return;
    const theirs = error.current as DraftResponse | null;
    setStatus((before) => (before.state === 'conflict' ? before : { ...before, state: 'conflict', theirs, error }));
  }, []);
  const keepMine = useCallback(() => {
    latest.current = { ...latest.current, saved: undefined, name: nameOfMine(latest.current) };
    patch({ saved: undefined, name: latest.current.name });
    void flush().catch(isShown);
  }, [patch, flush]);
  return { ...status, state: stateOf(draft, status.state, isKept), flush, meet, keepMine };
}

/** Saves an unsaved draft when its writer rests, and what they typed last when they leave the page before that. */
function useSavingByItself(draft: MessageDraft, isUnsaved: boolean, flush: Saving['flush']): void {
  useEffect(() => {
    if (!isUnsaved) return undefined;
    const timer = setTimeout(() => void flush().catch(isShown), RESTING_MS);
    return () => clearTimeout(timer);
  }, [draft, isUnsaved, flush]);
  const unsaved = useRef(isUnsaved);
  useEffect(() => {
    unsaved.current = isUnsaved;
  }, [isUnsaved]);
  useEffect(
    () => () => {
      if (unsaved.current) void flush().catch(isShown);
    },
    [flush],
  );
}

/** Tries again what could not be saved, for as long as it could not. */
function useSavingAgain(hasFailed: boolean, flush: Saving['flush']): void {
  useEffect(() => {
    if (!hasFailed) return undefined;
    const again = (): void => void flush().catch(isShown);
    const timer = setTimeout(again, AGAIN_MS);
    window.addEventListener('online', again);
    return () => {
      clearTimeout(timer);
      window.removeEventListener('online', again);
    };
  }, [hasFailed, flush]);
}

/** The browser asks before it closes or reloads the page. */
function useQuestionBeforeClosing(isOn: boolean): void {
  useEffect(() => {
    if (!isOn) return undefined;
    const ask = (event: BeforeUnloadEvent): void => event.preventDefault();
    window.addEventListener('beforeunload', ask);
    return () => window.removeEventListener('beforeunload', ask);
  }, [isOn]);
}

const DECIDE_FIRST = 'Somebody else has saved, sent or deleted this draft. Go back and decide what to keep.';

function failureOf(error: unknown): Pick<Saving, 'state' | 'theirs' | 'error'> {
  const theirs = error instanceof ApiError ? (error.current as DraftResponse | null) : null;
  const isGone = error instanceof ApiError && error.status === 404;
  return { state: theirs === null && !isGone ? 'failed' : 'conflict', theirs, error: error as Error };
}

/** The page says what went wrong with a save. */
function isShown(): void {
  return undefined;
}

function stateOf(draft: MessageDraft, state: Saving['state'], isKept: boolean): Saving['state'] {
  if (isBlank(draft)) return 'blank';
  return state === 'saved' && !isKept ? 'unsaved' : state;
}

const STILL = { state: 'saved', savedAt: null, theirs: null, error: null } as const;
