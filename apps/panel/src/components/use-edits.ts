import { useState } from 'react';
import { differing } from '../model/differing';

/** Settings in a form. Only what was changed in it is saved: another person may have changed the others meanwhile. */
export interface Edits<Settings extends object> {
  /** The settings as they are stored by now, with what was changed here. */
  values: Settings;
  /** What was changed here and is not saved. */
  changed: Partial<Settings>;
  /** Changes settings here. What is as stored again is no change. */
  change: (changes: Partial<Settings>) => void;
  /** Takes note of what was saved: what was changed since is left. */
  markSaved: (saved: Partial<Settings>) => void;
}

/**
 * Keeps what a person changes of settings.
 *
 * @param stored the settings as they were read last
 */
export function useEdits<Settings extends object>(stored: Settings): Edits<Settings> {
  const [changed, setChanged] = useState<Partial<Settings>>({});
  return {
    values: { ...stored, ...changed },
    changed,
    change: (changes) => setChanged((before) => differing({ ...before, ...changes }, stored)),
    markSaved: (saved) => setChanged((before) => differing(before, saved)),
  };
}
