import { useCallback, useState } from 'react';
import { useKept } from './use-kept';

/** What a person changes here, and its newest state, which another person may have saved. */
export interface Newest<T, Written> {
  /** The state that the changes are based on. */
  base: T;
  /** What was written when the form was left and is not saved; null: nothing. */
  found: Written | null;
  /** Rises when the form begins again with another base: its key. */
  beginnings: number;
  /** True if there is a newer state, and something was written here. */
  isBehind: boolean;
  /** Takes a state as the base, and keeps what is written here. */
  setBase: (base: T) => void;
  /** Discards what is written here: the form begins again with the newest state. */
  discard: () => void;
  /** Keeps what is written here and not saved; null: nothing. */
  keep: (written: Written | null) => void;
}

/**
 * A newer state takes the place of the one that is shown, unless something was written here. What was written is kept in this tab with
 * the state that it was based on (`useKept`).
 *
 * @param name the form's, as in `useKept`
 */
export function useNewest<T, Written extends object>(
  newest: T,
  revisionOf: (state: T) => number,
  name: string,
): Newest<T, Written> {
  const { found, keep: keepWithBase } = useKept<{ base: T; form: Written }>(name);
  const [base, setBase] = useState(found?.base ?? newest);
  const [isChanged, setChanged] = useState(found !== null);
  const [beginnings, setBeginnings] = useState(0);
  const isBehind = revisionOf(newest) > revisionOf(base);
  const takeNewest = (): void => {
    setBase(newest);
    setChanged(false);
    setBeginnings(beginnings + 1);
  };
  const discard = (): void => {
    keepWithBase(null);
    takeNewest();
  };
  const keep = useCallback(
    (form: Written | null) => {
      setChanged(form !== null);
      keepWithBase(form && { base, form });
    },
    [base, keepWithBase],
  );
  if (isBehind && !isChanged) takeNewest();
  return { base, found: found?.form ?? null, beginnings, isBehind, setBase, discard, keep };
}
