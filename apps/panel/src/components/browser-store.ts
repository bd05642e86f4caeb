/**
 * What this browser keeps for the panel. A browser may forbid sites to store anything, or be full: then nothing is kept.
 */

/** Returns the text that the browser keeps under a key, also when it was closed; null: none. */
export function readKeptText(key: string): string | null {
  try {
    return localStorage.getItem(key);
  } catch {
    return null;
  }
}

/** Keeps a text under a key, in place of the former one; null: keeps none. */
export function keepText(key: string, text: string | null): void {
  try {
    if (text === null) localStorage.removeItem(key);
    else localStorage.setItem(key, text);
  } catch {
    // Nothing that must be kept is kept here.
  }
}
