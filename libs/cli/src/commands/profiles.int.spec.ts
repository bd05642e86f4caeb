import { mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Profiles } from '../settings/profiles';
import { EXIT } from '../terminal/failure';
import { CommandWithGateway } from '../testing/command-with-gateway';

describe('the file of the profiles', () => {
  const folder = mkdtempSync(join(tmpdir(), 'postrider-profiles-'));
  const path = join(folder, 'config', 'profiles.json');
  let command: CommandWithGateway;

  beforeAll(async () => {
    command = await CommandWithGateway.start();
    process.env.POSTRIDER_PROFILES = path;
  });
  beforeEach(() => rmSync(join(folder, 'config'), { recursive: true, force: true }));
  afterAll(() => {
    command.stop();
    rmSync(folder, { recursive: true });
  });

  const kept = (): Profiles => JSON.parse(readFileSync(path, 'utf8')) as Profiles;

  it('has every profile of commands that ran at the same time', async () => {
    const names = ['one', 'two', 'three', 'four'];
    const codes = await Promise.all(names.map((name) => command.run('profiles', 'set', name)));
    expect(codes).toEqual(names.map(() => EXIT.done));
    expect(Object.keys(kept().profiles).sort()).toEqual([...names].sort());
    expect(statSync(path).mode & 0o777).toBe(0o600);
    await Promise.all([command.run('profiles', 'remove', 'one'), command.run('profiles', 'use', 'three')]);
    expect([Object.keys(kept().profiles).sort(), kept().current]).toEqual([['four', 'three', 'two'], 'three']);
    expect(await command.run('profiles', 'use', 'none')).toBe(EXIT.usage);
    expect(readdirSync(join(folder, 'config'))).toEqual(['profiles.json']);
  });

  it('is not changed while another command changes it', async () => {
    expect(await command.run('profiles', 'set', 'four')).toBe(EXIT.done);
    writeFileSync(`${path}.lock`, '');
    const before = readFileSync(path, 'utf8');
    expect(await command.run('profiles', 'set', 'five')).toBe(EXIT.unavailable);
    expect(command.err).toContain(`If none runs, one was killed: rm '${path}.lock'`);
    expect([readFileSync(path, 'utf8'), readFileSync(`${path}.lock`, 'utf8')]).toEqual([before, '']);
    const set = command.run('profiles', 'set', 'five');
    rmSync(`${path}.lock`);
    expect([await set, kept().current]).toEqual([EXIT.done, 'five']);
  });
});

describe('the address of a gateway', () => {
  let command: CommandWithGateway;

  beforeEach(async () => {
    command = await CommandWithGateway.start();
  });
  afterEach(() => command.stop());

  it.each([
    ['http://x/panel', 'http://x/panel is the address of the panel\nThe gateway is http://x.\n'],
    ['https://x/push/panel/apps/1#a', 'is the address of the panel\nThe gateway is https://x/push.\n'],
    ['x:3000', 'x:3000 is not the address of a gateway\nIt begins with http:// or https://.\n'],
  ])('is not %s', async (url, says) => {
    expect(await command.run('--url', url, 'messages', 'list')).toBe(EXIT.usage);
    expect(await command.run('--url', url, 'profiles', 'set', 'one')).toBe(EXIT.usage);
    expect(command.err.split('postrider: ').slice(1)).toEqual([
      expect.stringContaining(says),
      expect.stringContaining(says),
    ]);
  });

  it('may have a path', async () => {
    // Nothing is asked of the gateway, and only the name is refused.
    expect(await command.run('--url', 'http://x/panels', 'profiles', 'set', 'a b')).toBe(EXIT.usage);
    expect(command.err).toMatch(/^postrider: The name of a profile has /);
  });
});
