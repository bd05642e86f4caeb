import { chmodSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { gunzipSync } from 'node:zlib';
import { untilTrue } from '@postrider/testing';
import { type CommandLine } from './command-line';

/** The work of an operator: applications, tokens, and moving an application. */
export function operatorScenario(cli: () => CommandLine): void {
  it('does the work of an operator', async () => {
    expect(await cli().json('apps', 'create', 'bank')).toMatchObject({
      id: 'bank',
      tokens: { server: expect.any(String) },
    });
    expect((await cli().json<{ id: string }[]>('apps', 'list')).map(({ id }) => id)).toEqual(
      expect.arrayContaining(['shop', 'bank']),
    );
    const { id, token } = await cli().json('tokens', 'create', 'reader', '--scope', 'read', '--app', 'bank');
    expect(await cli().json('tokens', 'list', '--app', 'bank')).toContainEqual(
      expect.objectContaining({ id, scopes: ['read'] }),
    );
    const refused = await cli().run('send', '--user', 'x', '--content', 'x', '--token', token, '--app', 'bank');
    expect(refused).toMatchObject({ exitCode: 4, err: expect.stringContaining('(FORBIDDEN)') });
    await cli().json('tokens', 'revoke', id, '--app', 'bank');
    // A gateway keeps its knowledge about a token for some seconds.
    await untilTrue(
      async () => (await cli().run('messages', 'list', '--token', token, '--app', 'bank')).exitCode === 4,
    );
    expect(await cli().run('apps', 'delete', 'bank')).toMatchObject({ exitCode: 2 });
    await cli().json('apps', 'delete', 'bank', '--yes');
    expect(await cli().run('apps', 'show', 'bank')).toMatchObject({ exitCode: 5 });
    const checked = await cli().json<{ vendor: string; ok: boolean }[]>('vendors', 'check');
    expect(checked.map(({ vendor, ok }) => [vendor, ok]).sort()).toEqual([
      ['apns', true],
      ['fcm', true],
    ]);
  });

  it('keeps tokens from everybody else, and refuses a file that others may read', async () => {
    const profiles = cli().env.POSTRIDER_PROFILES ?? '';
    expect((statSync(profiles).mode & 0o777).toString(8)).toBe('600');
    const listed = await cli().run('profiles', 'list');
    expect(listed.out).toMatch(/^\* shop/m);
    expect(listed.out).not.toContain(cli().postrider.adminToken);
    for (const mode of [0o640, 0o604]) {
      chmodSync(profiles, mode);
      expect(await cli().run('apps', 'list')).toMatchObject({
        exitCode: 2,
        err: expect.stringContaining('chmod 600'),
      });
      expect(await cli().run('doctor')).toMatchObject({ exitCode: 7 });
    }
    chmodSync(profiles, 0o600);
    expect(await cli().run('apps', 'list')).toMatchObject({ exitCode: 0 });
    await cli().run('profiles', 'set', 'other', '--url', 'http://127.0.0.1:1');
    expect(await cli().run('apps', 'list', '--profile', 'shop')).toMatchObject({ exitCode: 0 });
    await cli().run('profiles', 'remove', 'other');
    await cli().run('profiles', 'use', 'shop');
    expect(JSON.parse(readFileSync(profiles, 'utf8'))).toMatchObject({
      current: 'shop',
      profiles: { shop: { app: 'shop' } },
    });
  });

  it('moves an application as one file, and says what existed already', async () => {
    const archive = join(cli().folder, 'shop.ndjson.gz');
    expect(await cli().json('apps', 'export', 'shop', archive)).toEqual({ file: archive });
    const piped = await cli().run('apps', 'export', 'shop', '-');
    expect([piped.exitCode, piped.err, piped.out.length > 100]).toEqual([0, '', true]);
    expect(statSync(archive).mode & 0o077).toBe(0);
    const lines = gunzipSync(readFileSync(archive)).toString().trim().split('\n');
    const end = JSON.parse(lines.at(-1) ?? '') as { end: { users: number; devices: number; segments: number } };
    expect(await cli().run('apps', 'import', 'moved', archive)).toMatchObject({
      exitCode: 5,
      err: 'postrider: There is no application moved (NOT_FOUND)\n`postrider apps create moved` makes it, and so does --create here.\n',
    });
    expect(await cli().json('apps', 'import', 'moved', archive, '--create')).toEqual({
      ...end.end,
      kept: 0,
      failed: 0,
      problems: [],
      changedSettings: true,
      application: expect.objectContaining({ id: 'moved', tokens: expect.anything() }),
    });
    const again = await cli().run('apps', 'import', 'moved', archive);
    expect(again.out).toMatch(
      /^0 users, 0 devices, 0 segments, 0 templates, 0 drafts and 0 trackers are new, [1-9]\d* existed already/,
    );
    const other = join(cli().folder, 'moved.ndjson');
    await cli().json('apps', 'export', 'moved', `${other}.gz`);
    const moved = gunzipSync(readFileSync(`${other}.gz`))
      .toString()
      .trim()
      .split('\n');
    expect(moved.slice(1).sort()).toEqual(lines.slice(1).sort());
    const partly = lines.with(1, '{"draft":{"name":"no message"}}').join('\n');
    expect(await cli().run('apps', 'import', 'moved', cli().file('partly.ndjson', partly))).toMatchObject({
      exitCode: 7,
      out: expect.stringMatching(/existed already\nline 2 message is required$/m),
      err: 'postrider: 1 line was not imported\n',
    });
    expect(await cli().run('apps', 'import', 'moved', cli().file('wrong.ndjson', 'token,user\n'))).toMatchObject({
      exitCode: 3,
      err: expect.stringContaining('line 1'),
    });
  });
}
