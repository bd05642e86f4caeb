import { join } from 'node:path';

/** Takes the place of `libs/rendering/src/sandbox/sandbox-file.ts` in specs, which run from sources. */
export const SANDBOX_FILE = join(__dirname, 'run-from-sources.cjs');
