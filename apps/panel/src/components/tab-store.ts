import { useAppId } from '../api/client';
import { holderOf, useSession } from '../api/session';

/**
 * Begins the keys of what is written in this tab and not saved. It is there again after a reload, and gone with the tab. It belongs to
 * the holder of the token with which it was written: nobody else who signs in here gets it.
 */
const PREFIX = 'postrider-unsaved';

/** The key of something that is written in the shown application by who is signed in. @param name one that nothing else there has */
export function useTabKey(name: string): string {
  return `${PREFIX}-${holderOf(useSession())}-${useAppId()}-${name}`;
}

/** Returns what is kept under a key, or null. */
export function readWritten<Written>(key: string): Written | null {
  try {
    return JSON.parse(sessionStorage.getItem(key) ?? 'null') as Written | null;
  } catch {
    return null;
  }
}

/** Keeps something under a key, in place of the former; null: keeps nothing. */
export function keepWritten(key: string, written: object | null): void {
  try {
    if (written === null) sessionStorage.removeItem(key);
    else sessionStorage.setItem(key, JSON.stringify(written));
  } catch {
    // Too long for the browser's store, or it keeps none: what is written lives as long as the page.
  }
}

/** Forgets everything that is kept in this tab. */
export function forgetWritten(): void {
  try {
    for (const key of Object.keys(sessionStorage)) {
      if (key.startsWith(PREFIX)) sessionStorage.removeItem(key);
    }
  } catch {
    // A browser that forbids sites to store anything keeps nothing.
  }
}
