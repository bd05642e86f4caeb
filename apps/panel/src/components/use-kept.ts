import { useCallback, useState } from 'react';
import { keepWritten, readWritten, useTabKey } from './tab-store';

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
 * gone with the tab, or when the person signs out.
 *
 * @param name the form's, which no other form of the application has
 */
export function useKept<Written extends object>(name: string): Kept<Written> {
  const key = useTabKey(name);
  const [found, setFound] = useState(() => readWritten<Written>(key));
  const [beginnings, setBeginnings] = useState(0);
  const keep = useCallback(
    (written: Written | null) => {
      keepWritten(key, written);
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
