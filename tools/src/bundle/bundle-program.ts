import { readFile } from 'node:fs/promises';
import { type ExistingRawSourceMap, type Plugin, rolldown } from 'rolldown';
import { OPTIONAL_PACKAGES } from './optional-packages';

/** Files of packages. */
const PACKAGES = /\/node_modules\/.+\.[cm]?js$/;
/** Modules that the bundler makes. */
const VIRTUAL = /^\0/;

/**
 * Writes one file that holds a program and all packages that it loads, and a map of it to our sources. Names stay as
 * they are: errors, logs and Nest show them. Modules that a package loads by `import()` are loaded by `require()`: only
 * so V8 can take the program from its compiled cache. No code is left out: Rolldown takes `decodeURIComponent(text)` for
 * a call without effect, although it throws.
 * @param entry the built program
 * @param file the path of the one file; its map is beside it
 * @returns the paths of all files that it holds
 * @throws Error if it loads a module that is neither installed nor one of `OPTIONAL_PACKAGES`
 */
export async function bundleProgram(entry: string, file: string): Promise<string[]> {
  const bundle = await rolldown({
    input: entry,
    platform: 'node',
    external: [...OPTIONAL_PACKAGES],
    treeshake: false,
    plugins: [MAPS_OF_OUR_SOURCES, ASCII_ONLY],
    onLog: (_level, { code, message }) => {
      if (code === 'UNRESOLVED_IMPORT') throw new Error(message);
    },
  });
  try {
    const { output } = await bundle.write({
      file,
      format: 'cjs',
      keepNames: true,
      dynamicImportInCjs: false,
      codeSplitting: false,
      minify: false,
      comments: { legal: true, annotation: false, jsdoc: false },
      sourcemap: true,
      sourcemapExcludeSources: true,
    });
    return output.flatMap((part) => (part.type === 'chunk' ? part.moduleIds : []));
  } finally {
    await bundle.close();
  }
}

/**
 * Adds the source maps that SWC wrote for our files, and none for packages: Node.js reads the map at each start, and
 * a map of everything is 20 MB.
 */
const MAPS_OF_OUR_SOURCES: Plugin = {
  name: 'maps-of-our-sources',
  load: {
    filter: { id: { include: /\.js$/, exclude: [PACKAGES, VIRTUAL] } },
    handler: async (id) => ({
      code: await readFile(id, 'utf8'),
      map: JSON.parse(await readFile(`${id}.map`, 'utf8')) as ExistingRawSourceMap,
    }),
  },
  transform: {
    filter: { id: PACKAGES },
    handler: (code) => ({ code, map: { mappings: '' } }),
  },
};

/**
 * Writes every other character as an escape: Node.js keeps the source of a program in memory, with two bytes for each character
 * as soon as one of them needs two.
 */
const ASCII_ONLY: Plugin = {
  name: 'ascii-only',
  generateBundle: (_options, bundle) => {
    for (const part of Object.values(bundle)) {
      if (part.type === 'chunk') part.code = part.code.replaceAll(/[\u0080-\uffff]/g, escaped);
    }
  },
};

/** @param unit one UTF-16 code unit */
function escaped(unit: string): string {
  return `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`;
}
