const KEY = 'postrider-application';

/** The application that was looked at last in this browser, or null. */
export function lastApplication(): string | null {
  try {
    return localStorage.getItem(KEY);
  } catch {
    return null;
  }
}

/** Remembers the application that is looked at; null forgets it. */
export function rememberApplication(appId: string | null): void {
  try {
    if (appId === null) localStorage.removeItem(KEY);
    else localStorage.setItem(KEY, appId);
  } catch {
    // Storage may be forbidden: then nothing is remembered.
  }
}
