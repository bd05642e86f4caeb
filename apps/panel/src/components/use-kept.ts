import { useCallback, useState } from 'react';
import { useAppId } from '../api/client';

/** What was written in a form and is not saved. */
export interface Kept<Written> {
  /** What was written when the form was left; null: nothing, or it was saved or discarded since. */
  found: Written | null;
  /** Keeps what is written now; null: nothing is left to save. */
  keep: (written: Written | null) => void;
  /** Discards what was found: the form begins again. */
  discard: () => void;
  /** Rises when the form begins again: its key. */
  beginnings: number;
}

/**
 * Keeps in this tab what is written in a form and not saved: it is there again when the person comes back, also after a reload, and is
 * gone with the tab.
 *
 * @param name the form's, which no other form of the application has
 */
export function useKept<Written extends object>(name: string): Kept<Written> {
  const key = `postrider-unsaved-${useAppId()}-${name}`;
  const [found, setFound] = useState(() => read<Written>(key));
  const [beginnings, setBeginnings] = useState(0);
  const keep = useCallback(
    (written: Written | null) => {
      store(key, written);
      if (written === null) setFound(null);
    },
    [key],
  );
  const discard = (): void => {
    keep(null);
    setBeginnings(beginnings + 1);
  };
  return { found, keep, discard, beginnings };
}

function read<Written>(key: string): Written | null {
  try {
    return JSON.parse(sessionStorage.getItem(key) ?? 'null') as Written | null;
  } catch {
    return null;
  }
}

function store(key: string, written: object | null): void {
  try {
    if (written === null) sessionStorage.removeItem(key);
    else sessionStorage.setItem(key, JSON.stringify(written));
  } catch {
    // Too long for the browser's store, or it keeps none: what is written lives as long as the page.
  }
}
