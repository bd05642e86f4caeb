import { join } from 'node:path';

/** Takes the place of `libs/rendering/src/sandbox/sandbox-file.ts` in specs, which run from sources. */
export const SANDBOX_FILE = join(__dirname, 'run-from-sources.cjs');

/** One whose engine makes mistakes of its own: the filters `slugify`, `squish` and `strip_html` never end, take all memory, and kill. */
export const FAULTY_SANDBOX_FILE = join(__dirname, 'run-faulty-engine.cjs');
