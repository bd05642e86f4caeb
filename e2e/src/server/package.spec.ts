import { readFile, rm, writeFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import {
  checkTypes,
  compilerOf,
  makeUserProject,
  MODULE_RESOLUTIONS,
  tryPublishing,
  TYPESCRIPTS,
  type UserProject,
} from '../support/packed-package';
import { type Postrider, startPostrider } from '../support/postrider';

const README = resolve(__dirname, '../../../libs/server/README.md');

const USE = `
const postrider = new Postrider({ url: 'https://push.example.com', token: 't' });
if (typeof postrider.toUsers !== 'function' || !(new PostriderError('TIMEOUT', '') instanceof Error)) throw new Error();
try { verifyWebhook({}, '', 'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw'); } catch (error) { console.log(error.code); }
`;
const IMPORT = `import { Postrider, PostriderError, verifyWebhook } from '@postrider/server';\n`;
const REQUIRE = `const { Postrider, PostriderError, verifyWebhook } = require('@postrider/server');\n`;

/** A backend in TypeScript, with mistakes that the types must find. */
const TYPED = `
import { Postrider, PostriderError, type Schemas, verifyWebhook } from '@postrider/server';
import type { MessageResponse } from '@postrider/server/document';

const postrider = new Postrider({ url: 'https://x', token: 't' });
const message: Promise<Schemas.MessageResponse & MessageResponse> = postrider.getMessage('id');
message.catch((error: unknown) => error instanceof PostriderError && error.code === 'NOT_FOUND');
async function all(): Promise<string[]> {
  const ids: string[] = [];
  for await (const { installationId } of postrider.listDeliveries('id', { state: 'failed' })) ids.push(installationId ?? '');
  return ids;
}
const event = verifyWebhook(new Headers(), '', 's');
if (event.type === 'promo.low_stock') event.data.remaining.toFixed();
if (event.type === 'message.done') event.data.totals.opened.toFixed();
void all();
// @ts-expect-error: there is no such state
postrider.listDeliveries('id', { state: 'lost' });
// @ts-expect-error: a send needs somebody to send to
postrider.toUsers({ content: 'x' });
// @ts-expect-error: there is no such code
new PostriderError('NOTHING', '');
`;

describe('@postrider/server as it is published, in a project of its own', () => {
  let project: UserProject;

  beforeAll(async () => {
    project = await makeUserProject(['libs/server'], [...TYPESCRIPTS, '@types', 'undici-types']);
    const files = {
      'use.mjs': IMPORT + USE,
      'use.cjs': REQUIRE + USE,
      'typed.ts': TYPED,
      'typed.mts': TYPED,
      'typed.cts': TYPED,
    };
    for (const [name, text] of Object.entries(files)) await writeFile(join(project.folder, name), text);
  });
  afterAll(() => rm(project.folder, { recursive: true, force: true }));

  it.each(['use.mjs', 'use.cjs'])('runs in Node.js: %s', async (file) => {
    expect(await project.node([file])).toBe('missing_header\n');
  });

  it.each(MODULE_RESOLUTIONS)(
    'has types in TypeScript strict: module %s, moduleResolution %s, %s',
    async (...resolution) => {
      expect(await checkTypes(project, resolution, ['typed.ts', 'typed.mts', 'typed.cts'])).toBe('');
    },
  );

  it('has types for the older resolution of CommonJS, which does not read `exports`', async () => {
    const resolution = ['commonjs', 'node10', 'typescript'] as const;
    expect(await checkTypes(project, resolution, ['typed.ts'], ['--ignoreDeprecations', '6.0'])).toBe('');
  });

  it('depends on nothing, and is free to publish', async () => {
    const { stdout, stderr } = await tryPublishing('libs/server');
    expect(stdout).toContain('"@postrider/server@');
    expect(stderr).not.toMatch(/warn publish (?!This command requires you to be logged in)|npm error/);
    const manifest = JSON.parse(
      await readFile(join(project.folder, 'node_modules/@postrider/server/package.json'), 'utf8'),
    ) as object;
    expect(Object.keys(manifest)).not.toContain('dependencies');
  });

  describe('with a gateway', () => {
    let postrider: Postrider;

    beforeAll(async () => {
      postrider = await startPostrider({ ALLOW_PRIVATE_ENDPOINTS: 'true' }, { hasPromo: true });
    });
    afterAll(() => postrider?.stop());

    it('does what the tutorial says, which TypeScript takes as it is', async () => {
      const blocks = [...(await readFile(README, 'utf8')).matchAll(/```ts\n([\s\S]*?)```/g)].map(
        ([, block = '']) => block,
      );
      const program = blocks.join('\n');
      await writeFile(join(project.folder, 'tutorial.mts'), program);
      await writeFile(join(project.folder, 'credentials.json'), JSON.stringify(postrider.system.simulator));
      const how = ['--module', 'nodenext', '--target', 'es2022', '--types', 'node', '--strict', '--skipLibCheck'];
      expect(await project.node([compilerOf('typescript-native'), ...how, 'tutorial.mts'])).toBe('');
      const shown = await project.node(['tutorial.mjs'], {
        POSTRIDER_URL: postrider.system.gatewayUrl,
        ADMIN_TOKEN: postrider.adminToken,
        CREDENTIALS: 'credentials.json',
      });
      const promised = [...program.matchAll(/^ *\/\/ → (.*)$/gm)].map(([, line = '']) => line);
      expect(promised.length).toBeGreaterThan(10);
      expect(shown.trim().split('\n')).toEqual(promised);
    });
  });
});
