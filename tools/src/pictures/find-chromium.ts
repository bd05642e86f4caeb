import { accessSync, constants } from 'node:fs';
import { delimiter, join } from 'node:path';

/** The shell draws pages as the others do and has no windows around them: that is half the work. */
const NAMES = ['chromium-headless-shell', 'chromium', 'chromium-browser', 'google-chrome', 'google-chrome-stable'];

/** The browser of this machine, or null: `CHROMIUM_PATH`, else what is on PATH. */
export function findChromium(): string | null {
  const folders = (process.env.PATH ?? '').split(delimiter);
  const candidates = NAMES.flatMap((name) => folders.map((folder) => join(folder, name)));
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
