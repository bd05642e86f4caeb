import { join } from 'node:path';

/**
 * A sandbox whose engine makes mistakes: the filters `slugify`, `squish` and `strip_html` never end, take all memory, and kill.
 * `uri_escape` is killed once, as by the kernel, for the file that its value names, and `xml_escape` each time.
 */
export const FAULTY_SANDBOX_FILE = join(__dirname, 'run-faulty-engine.cjs');
