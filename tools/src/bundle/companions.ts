import { cp } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { bundleProgram } from './bundle-program';

/** A program that another one starts from a file beside itself. */
interface CompanionProgram {
  /** The end of the path of the file that starts it. */
  startedBy: string;
  /** Its entry, in the folder of that file. */
  entry: string;
}

/** A package whose files a program reads, as it finds them by `require.resolve`. */
interface CompanionPackage {
  /** A part of the path of the files that read it. */
  readBy: string;
  name: string;
  /** The files and folders of it that are read. */
  files: readonly string[];
}

const PROGRAMS: readonly CompanionProgram[] = [
  { startedBy: '/libs/rendering/dist/sandbox/sandbox-file.js', entry: 'sandbox.entry.js' },
];

const PACKAGES: readonly CompanionPackage[] = [
  { readBy: '/node_modules/@bull-board/api/', name: '@bull-board/ui', files: ['dist'] },
  {
    readBy: '/apps/gateway/dist/documentation/documentation.js',
    name: 'swagger-ui-dist',
    files: ['swagger-ui.css', 'swagger-ui-bundle.js'],
  },
  { readBy: '/apps/gateway/dist/panel/panel.js', name: '@postrider/panel', files: ['dist'] },
  { readBy: '/apps/gateway/dist/guide/guide.js', name: '@postrider/guide', files: ['dist'] },
];

/**
 * Puts the files that a program reads or starts beside its bundle.
 * @param modules the paths of all files in the bundle
 * @param folder of the bundle
 * @returns the paths of the files of packages that are beside it now
 */
export async function addCompanions(modules: readonly string[], folder: string): Promise<string[]> {
  const added: string[] = [];
  for (const { startedBy, entry } of PROGRAMS) {
    const starter = modules.find((path) => path.endsWith(startedBy));
    if (starter !== undefined) added.push(...(await bundleProgram(join(dirname(starter), entry), join(folder, entry))));
  }
  for (const { readBy, name, files } of PACKAGES) {
    const reader = modules.find((path) => path.includes(readBy));
    if (reader === undefined) continue;
    const description = createRequire(reader).resolve(`${name}/package.json`);
    added.push(description);
    for (const file of ['package.json', ...files]) {
      await cp(join(dirname(description), file), join(folder, 'node_modules', name, file), { recursive: true });
    }
  }
  return added;
}
