import { useState } from 'react';

/** What a person changes here, and its newest state, which another person may have saved. */
export interface Newest<T> {
  /** The state that the changes are based on. */
  base: T;
  /** Rises when the form begins again with another base: its key. */
  beginnings: number;
  /** True if there is a newer state, and something was written here. */
  isBehind: boolean;
  /** Takes a state as the base, and keeps what is written here. */
  setBase: (base: T) => void;
  /** Discards what is written here. */
  takeNewest: () => void;
  /** Says whether something is written here that is not saved. */
  setChanged: (isChanged: boolean) => void;
}

/**
 * A newer state takes the place of the one that is shown, unless something was written here.
 *
 * @param kept the base of what was written here before the page was left; null: nothing was
 */
export function useNewest<T>(newest: T, revisionOf: (state: T) => number, kept: T | null): Newest<T> {
  const [base, setBase] = useState(kept ?? newest);
  const [isChanged, setChanged] = useState(kept !== null);
  const [beginnings, setBeginnings] = useState(0);
  const isBehind = revisionOf(newest) > revisionOf(base);
  const takeNewest = (): void => {
    setBase(newest);
    setChanged(false);
    setBeginnings(beginnings + 1);
  };
  if (isBehind && !isChanged) takeNewest();
  return { base, beginnings, isBehind, setBase, takeNewest, setChanged };
}
