// Bundles the example: `node libs/client/example/build.mjs [folder]`.
import { join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { build } from 'vite';

const root = import.meta.dirname;

/**
 * Bundles the page and its service worker. The worker is one script without imports, which every browser takes.
 *
 * @param outDir emptied first
 */
export async function buildExample(outDir = join(root, 'dist')) {
  const common = { root, configFile: false, logLevel: 'warn', publicDir: false };
  await build({ ...common, base: './', build: { outDir, emptyOutDir: true, target: 'es2022', modulePreload: false } });
  await build({
    ...common,
    build: {
      outDir,
      emptyOutDir: false,
      target: 'es2022',
      lib: {
        entry: join(root, 'service-worker.mjs'),
        formats: ['iife'],
        name: 'postriderWorker',
        fileName: () => 'service-worker.js',
      },
    },
  });
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  await buildExample(process.argv[2] && resolve(process.argv[2]));
}
