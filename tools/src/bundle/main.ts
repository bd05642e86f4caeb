import { rm } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { bundleProgram } from './bundle-program';
import { writePackages } from './bundled-packages';
import { addCompanions } from './companions';

/**
 * The target `bundle` of an app: `node tools/dist/bundle/main.js dist/main.js`, run in the app's folder. `bundle/` then
 * holds everything that Node.js needs to run it: `main.js`, its map, the files that the program reads or starts, and
 * the list of its packages with their licences.
 */
async function main([entry]: string[]): Promise<void> {
  if (entry === undefined) throw new Error('Say which built program to bundle: dist/main.js');
  const folder = resolve('bundle');
  await rm(folder, { recursive: true, force: true });
  const modules = await bundleProgram(resolve(entry), join(folder, 'main.js'));
  await writePackages([...modules, ...(await addCompanions(modules, folder))], folder);
}

main(process.argv.slice(2)).catch((error: unknown) => {
  console.error(error);
  process.exit(1);
});
