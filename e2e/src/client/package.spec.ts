import { execFile } from 'node:child_process';
import { mkdir, mkdtemp, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { promisify } from 'node:util';

const run = promisify(execFile);
const ROOT = resolve(__dirname, '../../..');
const MODULES = join(ROOT, 'node_modules');
const CLIENT = join(ROOT, 'libs/client');

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

/** What an application that is written in TypeScript says, with two mistakes that the types have to find. */
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
  let project: string;
  const node = async (...words: string[]): Promise<string> => {
    const { stdout } = await run(process.execPath, words, { cwd: project });
    return stdout;
  };

  /** Does what `npm install` of the tarball does, without a registry: what it depends on is the repository's. */
  async function install(): Promise<void> {
    const { stdout } = await run('npm', ['pack', '--silent', '--pack-destination', project], { cwd: CLIENT });
    const tarball = stdout.trim().split('\n').at(-1) ?? '';
    const target = join(project, 'node_modules/@postrider/client');
    await mkdir(target, { recursive: true });
    await run('tar', ['-xzf', tarball, '--strip-components=1', '-C', target], { cwd: project });
    for (const name of ['mqtt', 'typescript', 'vite', '@types']) {
      await symlink(join(MODULES, name), join(project, 'node_modules', name));
    }
  }

  beforeAll(async () => {
    project = await mkdtemp(join(tmpdir(), 'postrider-package-'));
    await writeFile(join(project, 'package.json'), '{ "name": "shop", "version": "1.0.0", "private": true }');
    await install();
    await writeFile(join(project, 'use.mjs'), IMPORTS + USE);
    await writeFile(join(project, 'use.cjs'), REQUIRES + USE);
    for (const extension of ['ts', 'mts', 'cts']) await writeFile(join(project, `typed.${extension}`), TYPED);
    const page = IMPORTS.replace(/.*file-storage.*/, '') + USE.replace(/, storage: .*? }/, ' }');
    await writeFile(join(project, 'page.js'), page);
    await writeFile(join(project, 'bundle.mjs'), BUNDLE);
  });
  afterAll(() => rm(project, { recursive: true, force: true }));

  it.each(['use.mjs', 'use.cjs'])('runs in Node.js: %s', async (file) => {
    expect(await node(file)).toBe('works\n');
  });

  it.each([
    ['esnext', 'bundler'],
    ['node16', 'node16'],
    ['nodenext', 'nodenext'],
  ])('has types in TypeScript strict: module %s, moduleResolution %s', async (module, moduleResolution) => {
    const how = ['--module', module, '--moduleResolution', moduleResolution, '--target', 'es2022', '--types', 'node'];
    const checks = ['--noEmit', '--strict', '--exactOptionalPropertyTypes', '--skipLibCheck', 'false'];
    expect(await node('node_modules/typescript/bin/tsc', ...how, ...checks, 'typed.ts', 'typed.mts', 'typed.cts')).toBe(
      '',
    );
  });

  it('is bundled for browsers: by Vite', async () => {
    expect(await node('bundle.mjs')).toBe('');
    const inBrowser = "globalThis.navigator ??= { language: 'en' }; await import('./bundle/page.mjs');";
    expect(await node('--input-type=module', '--eval', inBrowser)).toBe('works\n');
  });

  it('is free to publish, and says so without a warning', async () => {
    const { stdout, stderr } = await run('npm', ['publish', '--dry-run', '--offline', '--json', '--loglevel=warn'], {
      cwd: CLIENT,
    });
    expect(stdout).toContain('"@postrider/client@');
    expect(stderr).not.toMatch(/warn publish (?!This command requires you to be logged in)|npm error/);
  });
});
