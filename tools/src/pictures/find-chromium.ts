import { accessSync, constants } from 'node:fs';
import { delimiter, join } from 'node:path';

const NAMES = ['chromium', 'chromium-browser', 'google-chrome', 'google-chrome-stable'];
const SHELLS = ['chromium-headless-shell'];

/** Returns the browser of this machine, or null: `CHROMIUM_PATH`, else the one on PATH. */
export function findChromium(): string | null {
  return find(NAMES);
}

/**
 * A browser that only draws pages: Chromium without windows, which takes half the processor time, or `findChromium`. It has no
 * notifications.
 */
export function findHeadlessShell(): string | null {
  return find([...SHELLS, ...NAMES]);
}

function find(names: readonly string[]): string | null {
  const folders = (process.env.PATH ?? '').split(delimiter);
  const candidates = names.flatMap((name) => folders.map((folder) => join(folder, name)));
  return [process.env.CHROMIUM_PATH ?? '', ...candidates].find(isProgram) ?? null;
}

function isProgram(path: string): boolean {
  try {
    if (path === '') return false;
    accessSync(path, constants.X_OK);
    return true;
  } catch {
    return false;
  }
}
