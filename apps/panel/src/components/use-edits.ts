import { useState } from 'react';
import { differing } from '../model/differing';

/** Settings in a form. Only what was changed in it is saved: another person may have changed the others meanwhile. */
export interface Edits<Settings extends object> {
  /** The settings as they are stored by now, with what was changed here. */
  values: Settings;
  /** What was changed here and is not saved. */
  changed: Partial<Settings>;
  /** Of the settings that were changed here, what was stored when that began. */
  base: Partial<Settings>;
  /** Changes settings here. What is as stored again is no change. */
  change: (changes: Partial<Settings>) => void;
  /** Takes note of what was saved: what was changed since is left. */
  markSaved: (saved: Partial<Settings>) => void;
  /** Takes what is stored by now as that from which the changes began. */
  rebase: () => void;
}

/**
 * Keeps what a person changes of settings.
 *
 * @param stored the settings as they were read last
 */
export function useEdits<Settings extends object>(stored: Settings): Edits<Settings> {
  const [{ changed, base }, setEdits] = useState<Pick<Edits<Settings>, 'changed' | 'base'>>({ changed: {}, base: {} });
  return {
    values: { ...stored, ...changed },
    changed,
    base,
    change: (changes) =>
      setEdits((before) => {
        const now = differing({ ...before.changed, ...changes }, stored);
        return { changed: now, base: { ...common(stored, now), ...common(before.base, now) } };
      }),
    markSaved: (saved) =>
      setEdits((before) => {
        const now = differing(before.changed, saved);
        // What was saved is what is stored: what was changed since began from it.
        return { changed: now, base: { ...common(before.base, now), ...common(saved, now) } };
      }),
    rebase: () => setEdits((before) => ({ ...before, base: common(stored, before.changed) })),
  };
}

/** The settings of one that another one has too. */
function common<Settings extends object>(of: Partial<Settings>, other: Partial<Settings>): Partial<Settings> {
  return Object.fromEntries(Object.entries(of).filter(([name]) => name in other)) as Partial<Settings>;
}
