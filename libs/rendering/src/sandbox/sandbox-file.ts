import { join } from 'node:path';

/** The program of a sandbox. Specs, which run from sources, use another file (`libs/testing`). */
export const SANDBOX_FILE = join(__dirname, 'sandbox.entry.js');
