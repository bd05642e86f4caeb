import { join, resolve } from 'node:path';
import { buildGuide, BrokenLinks } from './build-guide';

/** Builds the guide into `apps/guide/dist`. */
const ROOT = resolve(__dirname, '../../..');
const GUIDE = join(ROOT, 'apps', 'guide');

try {
  const pages = buildGuide(ROOT, join(GUIDE, 'dist'), join(GUIDE, 'assets'));
  console.log(`${pages} pages`);
} catch (error) {
  if (!(error instanceof BrokenLinks)) throw error;
  console.error(error.message);
  process.exitCode = 1;
}
