import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { brotliCompressSync, gzipSync } from 'node:zlib';
import react from '@vitejs/plugin-react';
import { defineConfig } from 'vite';

/** The gateway that `npx vite` passes API calls on to while somebody works on the panel. */
const GATEWAY = process.env.POSTRIDER_URL ?? 'http://127.0.0.1:3000';

export default defineConfig({
  root: import.meta.dirname,
  base: '/panel/',
  plugins: [react(), compressed()],
  resolve: { conditions: ['@postrider/source', 'module', 'browser', 'development|production'] },
  // Replaced by the gateway with a new value for each answer: see apps/gateway/src/panel.
  html: { cspNonce: 'POSTRIDER_NONCE' },
  build: {
    outDir: 'dist',
    emptyOutDir: true,
    target: 'es2022',
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
    rolldownOptions: {
      output: {
        codeSplitting: {
          groups: [{ name: 'react', test: /node_modules[\\/](react|react-dom|scheduler)[\\/]/ }],
        },
      },
    },
  },
  server: {
    proxy: Object.fromEntries(['/api', '/apps', '/panel/session'].map((path) => [path, { target: GATEWAY }])),
  },
});

/** Writes each script and style compressed beside itself: the gateway sends what a browser takes, and compresses nothing. */
function compressed() {
  return {
    name: 'postrider:compressed',
    apply: 'build',
    closeBundle() {
      const folder = join(import.meta.dirname, 'dist', 'assets');
      for (const name of readdirSync(folder)) {
        if (!/\.(?:js|css|svg)$/.test(name)) continue;
        const bytes = readFileSync(join(folder, name));
        writeFileSync(join(folder, `${name}.gz`), gzipSync(bytes, { level: 9 }));
        writeFileSync(join(folder, `${name}.br`), brotliCompressSync(bytes));
      }
    },
  };
}
