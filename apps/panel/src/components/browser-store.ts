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

/** Returns the object that this tab keeps under a key until it is closed; null: none. */
export function readOfTab<Kept extends object>(key: string): Kept | null {
  try {
    return JSON.parse(sessionStorage.getItem(key) ?? 'null') as Kept | null;
  } catch {
    return null;
  }
}

/** Keeps an object under a key in this tab, in place of the former one; null: keeps none. */
export function keepInTab(key: string, value: object | null): void {
  try {
    if (value === null) sessionStorage.removeItem(key);
    else sessionStorage.setItem(key, JSON.stringify(value));
  } catch {
    // Too long for the browser's store, or it keeps none: the object lives as long as the page.
  }
}
