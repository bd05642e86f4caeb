import { readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import {
  checkTypes,
  makeUserProject,
  MODULE_RESOLUTIONS,
  tryPublishing,
  TYPESCRIPTS,
  type UserProject,
} from '../support/packed-package';

const USE = `
const client = createClient({ url: 'https://push.example.com', appId: 'shop', token: 't', storage: fileStorage('device.json') });
if (!(client instanceof PostriderClient) || typeof startServiceWorker !== 'function') throw new Error('not what the README says');
client.close().then(() => console.log('works'));
`;
const IMPORTS = `
import { createClient, PostriderClient } from '@postrider/client';
import { fileStorage } from '@postrider/client/file-storage';
import { startServiceWorker } from '@postrider/client/service-worker';
`;
const REQUIRES = IMPORTS.replaceAll(/import (.*) from (.*);/g, 'const $1 = require($2);');

/** An application in TypeScript, with two mistakes that the types must find. */
const TYPED = `
import { type ClientMessage, createClient, type Installation, PostriderError } from '@postrider/client';
import { fileStorage } from '@postrider/client/file-storage';
import { startServiceWorker } from '@postrider/client/service-worker';

const client = createClient({ url: 'https://x', appId: 'shop', token: 't', storage: fileStorage('device.json') });
client.on('message', (message: ClientMessage) => void client.showNotification(message));
client.on('connected', ({ userId }) => console.log(userId.length));
const installation: Promise<Installation> = client.signIn('ada', { userHash: 'x' });
installation.catch((error: unknown) => error instanceof PostriderError && error.code.length);
startServiceWorker({ appId: 'shop' });
const registration: Promise<ServiceWorkerRegistration> = navigator.serviceWorker.ready;
void registration.then((serviceWorker) => client.webPush.enable({ vapidPublicKey: 'BJ…', serviceWorker }));
// @ts-expect-error: there is no such event
client.on('nothing', () => undefined);
// @ts-expect-error: a number is no token
createClient({ url: 'https://x', appId: 'shop', token: 5 });
`;

/** Bundles `page.js` for browsers. */
const BUNDLE = `
import { build } from 'vite';
const lib = { entry: 'page.js', formats: ['es'], fileName: 'page' };
await build({ configFile: false, logLevel: 'warn', build: { outDir: 'bundle', lib } });
`;

describe('the package as it is published, in a project of its own', () => {
  let project: UserProject;
  const node = (...words: string[]): Promise<string> => project.node(words);

  beforeAll(async () => {
    project = await makeUserProject(['libs/client'], ['mqtt', ...TYPESCRIPTS, 'vite', '@types']);
    const write = (name: string, text: string): Promise<void> => writeFile(join(project.folder, name), text);
    await write('use.mjs', IMPORTS + USE);
    await write('use.cjs', REQUIRES + USE);
    for (const extension of ['ts', 'mts', 'cts']) await write(`typed.${extension}`, TYPED);
    const page = IMPORTS.replace(/.*file-storage.*/, '') + USE.replace(/, storage: .*? }/, ' }');
    await write('page.js', page);
    await write('bundle.mjs', BUNDLE);
  });
  afterAll(() => rm(project.folder, { recursive: true, force: true }));

  it.each(['use.mjs', 'use.cjs'])('runs in Node.js: %s', async (file) => {
    expect(await node(file)).toBe('works\n');
  });

  it.each(MODULE_RESOLUTIONS)(
    'has types in TypeScript strict: module %s, moduleResolution %s, %s',
    async (...resolution) => {
      expect(await checkTypes(project, resolution, ['typed.ts', 'typed.mts', 'typed.cts'])).toBe('');
    },
  );

  it('is bundled for browsers: by Vite', async () => {
    expect(await node('bundle.mjs')).toBe('');
    const inBrowser = "globalThis.navigator ??= { language: 'en' }; await import('./bundle/page.mjs');";
    expect(await node('--input-type=module', '--eval', inBrowser)).toBe('works\n');
    // MQTT is in a file of its own, which a page loads when it connects: with it these are more than 110 KiB.
    const page = await readFile(join(project.folder, 'bundle/page.mjs'));
    expect(gzipSync(page).length).toBeLessThan(20 * 1024);
  });

  it('is free to publish, and says so without a warning', async () => {
    const { stdout, stderr } = await tryPublishing('libs/client');
    expect(stdout).toContain('"@postrider/client@');
    expect(stderr).not.toMatch(/warn publish (?!This command requires you to be logged in)|npm error/);
  });
});
