import { join } from 'node:path';

/** What a sandbox runs. Specs, which run from sources, have another one in its place (`libs/testing`). */
export const SANDBOX_FILE = join(__dirname, 'sandbox.entry.js');
