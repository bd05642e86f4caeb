import { execFile, type ExecFileException, spawn } from 'node:child_process';
import { chmodSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { gunzipSync, gzipSync } from 'node:zlib';
import { untilTrue } from '@postrider/testing';
import { Redis } from 'ioredis';
import { completeInFish, completeInZsh, withShell } from './shell-completion';
import { type Postrider, startPostrider } from '../support/postrider';

const POSTRIDER = resolve(__dirname, '../../../libs/cli/bin/postrider.cjs');
const README = resolve(__dirname, '../../../libs/cli/README.md');

interface Ended {
  exitCode: number;
  out: string;
  err: string;
}

/** Runs the command in an environment of its own. */
function runIn(env: Record<string, string>, words: readonly string[], input = ''): Promise<Ended> {
  return new Promise((done) => {
    const child = execFile(
      process.execPath,
      [POSTRIDER, ...words],
      { env: { PATH: process.env.PATH ?? '', ...env } },
      (error: ExecFileException | null, out, err) =>
        done({ exitCode: error === null ? 0 : Number(error.code), out, err }),
    );
    child.stdin?.end(input);
  });
}

describe('postrider on the command line', () => {
  let postrider: Postrider;
  let folder: string;
  let env: Record<string, string>;

  const run = (...words: string[]): Promise<Ended> => runIn(env, words);
  // eslint-disable-next-line @typescript-eslint/no-explicit-any -- a test looks into whatever came
  const json = async <Value = any>(...words: string[]): Promise<Value> => {
    const { exitCode, out, err } = await run('--json', ...words);
    expect([exitCode, err]).toEqual([0, '']);
    return JSON.parse(out) as Value;
  };
  const file = (name: string, text: string | Buffer): string => {
    writeFileSync(join(folder, name), text);
    return join(folder, name);
  };

  beforeAll(async () => {
    folder = mkdtempSync(join(tmpdir(), 'postrider-cli-'));
    env = { POSTRIDER_PROFILES: join(folder, 'config/profiles.json'), HOME: folder };
    postrider = await startPostrider({}, { hasPromo: true });
    const app = await postrider.createApplication('shop');
    await app.client.call('POST', '/api/installations', { userId: 'ada', deviceType: 'android', deviceToken: 'ada-1' });
    await run(
      'profiles',
      'set',
      'shop',
      '--url',
      postrider.system.gatewayUrl,
      '--token',
      app.serverToken,
      '--app',
      'shop',
    );
    await run('profiles', 'set', 'shop', '--admin-token', postrider.adminToken);
  });
  afterAll(async () => {
    await postrider?.stop();
    rmSync(folder, { recursive: true, force: true });
  });

  it('sends, and watches until the message is done', async () => {
    const sent = await json('send', '--user', 'ada', '--content', 'Tea?', '--title', 'Hello', '--track-id', 'tea');
    expect(sent).toMatchObject({ count: 1, isReplay: false });
    const id: string = sent.messageIds[0];
    const watched = await run('--json', 'messages', 'watch', id, '--interval', '50');
    const last = JSON.parse(watched.out.trim().split('\n').at(-1) ?? '') as object;
    expect(last).toMatchObject({ id, status: 'done', trackId: 'tea', totals: { sent: 1 } });
    const shown = await run('messages', 'show', id);
    expect(shown.out).toContain(
      '[########################################] 100%  1 of 1 devices\nsent 1\nerrors: none',
    );
    expect((await json<{ id: string }[]>('messages', 'list')).map((message) => message.id)).toContain(id);
    expect(await run('messages', 'cancel', id)).toMatchObject({
      exitCode: 3,
      err: expect.stringContaining('(CONFLICT)'),
    });
  });

  it('sends what a file says, to a target, once under a key, and nothing in a dry run', async () => {
    const body = file('body.json', JSON.stringify({ content: 'From a file', useAsAlert: true, ttl: 60 }));
    const words = ['send', '--target', '{"deviceType":"android"}', '--file', body];
    expect(await json(...words, '--dry-run')).toMatchObject({ count: 1, byVendor: { fcm: 1 }, messageIds: [] });
    const first = await json(...words, '--idempotency-key', 'k1');
    expect(await json(...words, '--idempotency-key', 'k1')).toMatchObject({
      messageIds: first.messageIds,
      isReplay: true,
    });
    const piped = await runIn(env, ['send', '--user', 'ada', '--file', '-'], '{"content":"Piped"}');
    expect(piped).toMatchObject({ exitCode: 0, out: expect.stringContaining('Sent to 1 device') });
  });

  it('previews, counts, and uploads promo codes', async () => {
    const preview = await run('preview', '--user', 'ada', '--content', 'Hi {{ user.id }}');
    expect(preview.out).toMatch(/^USER +VENDOR +TITLE +TEXT.*\nada +fcm .*Hi ada/);
    const alone = await run('preview', '--user', 'nobody', '--content', 'Hi');
    expect(alone).toMatchObject({ exitCode: 0, out: 'nobody has no device\n' });
    const both = await run('preview', '--user', 'ada,nobody', '--content', 'Hi');
    expect(both.out).toMatch(/^USER .*\nada .*\nnobody has no device\n$/);
    expect(await json('segments', 'count', '--target', '{"deviceType":"android"}')).toMatchObject({
      count: 1,
      devices: 1,
    });
    const codes = file('codes.csv', 'A-1\nA-2\n');
    expect(await json('promo', 'upload', codes, '--global')).toEqual({ promoSetId: 'shop', totalRows: 2 });
    expect(await run('promo', 'upload', codes)).toMatchObject({ exitCode: 2 });
    expect(await run('promo', 'upload', join(folder, 'none.csv'), '--global')).toMatchObject({ exitCode: 2 });
  });

  it('does the work of an operator', async () => {
    expect(await json('apps', 'create', 'bank')).toMatchObject({ id: 'bank', tokens: { server: expect.any(String) } });
    expect((await json<{ id: string }[]>('apps', 'list')).map(({ id }) => id)).toEqual(
      expect.arrayContaining(['shop', 'bank']),
    );
    const { id, token } = await json('tokens', 'create', 'reader', '--scope', 'read', '--app', 'bank');
    expect(await json('tokens', 'list', '--app', 'bank')).toContainEqual(
      expect.objectContaining({ id, scopes: ['read'] }),
    );
    const refused = await run('send', '--user', 'x', '--content', 'x', '--token', token, '--app', 'bank');
    expect(refused).toMatchObject({ exitCode: 4, err: expect.stringContaining('(FORBIDDEN)') });
    await json('tokens', 'revoke', id, '--app', 'bank');
    // A gateway keeps its knowledge about a token for some seconds.
    await untilTrue(async () => (await run('messages', 'list', '--token', token, '--app', 'bank')).exitCode === 4);
    expect(await run('apps', 'delete', 'bank')).toMatchObject({ exitCode: 2 });
    await json('apps', 'delete', 'bank', '--yes');
    expect(await run('apps', 'show', 'bank')).toMatchObject({ exitCode: 5 });
    const checked = await json<{ vendor: string; ok: boolean }[]>('vendors', 'check');
    expect(checked.map(({ vendor, ok }) => [vendor, ok]).sort()).toEqual([
      ['apns', true],
      ['fcm', true],
    ]);
  });

  it('says as JSON and by its exit code what went wrong', async () => {
    const errorOf = async (...words: string[]): Promise<unknown> => {
      const { exitCode, out, err } = await run('--json', ...words);
      expect(out).toBe('');
      return [exitCode, (JSON.parse(err) as { error: { code: string } }).error.code];
    };
    expect(await errorOf('send', '--user', 'ada', '--content', 'x', '--ttl', '99999999999')).toEqual([
      3,
      'INVALID_REQUEST',
    ]);
    expect(await errorOf('messages', 'show', 'none')).toEqual([5, 'NOT_FOUND']);
    expect(await errorOf('messages', 'list', '--token', 'wrong')).toEqual([4, 'UNAUTHORIZED']);
    expect(await errorOf('send', '--content', 'to nobody')).toEqual([2, 'USAGE']);
    expect(await errorOf('nonsense')).toEqual([2, 'USAGE']);
    expect((await run('--json', 'nonsense')).err).toContain('"message":"unknown command \'nonsense\'"');
    for (const words of [[], ['messages']]) {
      expect(JSON.parse((await run('--json', ...words)).err)).toMatchObject({
        error: { exitCode: 2, message: 'Which command? --help lists them' },
      });
    }
    expect(await errorOf('profiles', 'set', 'typo', '--url', 'localhost:3000')).toEqual([2, 'USAGE']);
    expect(await errorOf('send', '--ttl', 'long')).toEqual([2, 'USAGE']);
    for (const interval of ['0', '49', '3600001', 'often']) {
      expect(await errorOf('messages', 'watch', 'x', '--interval', interval)).toEqual([2, 'USAGE']);
    }
    expect((await run('messages', 'watch', 'x', '--interval', '0')).err).toContain('50 to 3600000 milliseconds');
    expect(await errorOf('apps', 'list', '--url', 'nowhere')).toEqual([2, 'USAGE']);
    expect(await errorOf('messages', 'list', '--profile', 'none')).toEqual([2, 'USAGE']);
    const fields = await run('send', '--user', 'ada', '--content', 'x', '--ttl', '99999999999');
    expect(fields.err).toMatch(/^postrider: .* \(INVALID_REQUEST\)\n {2}ttl must/);
  });

  it('keeps tokens from everybody else, and refuses a file that others may read', async () => {
    const profiles = env.POSTRIDER_PROFILES ?? '';
    expect((statSync(profiles).mode & 0o777).toString(8)).toBe('600');
    const listed = await run('profiles', 'list');
    expect(listed.out).toMatch(/^\* shop/m);
    expect(listed.out).not.toContain(postrider.adminToken);
    for (const mode of [0o640, 0o604]) {
      chmodSync(profiles, mode);
      expect(await run('apps', 'list')).toMatchObject({ exitCode: 2, err: expect.stringContaining('chmod 600') });
      expect(await run('doctor')).toMatchObject({ exitCode: 7 });
    }
    chmodSync(profiles, 0o600);
    expect(await run('apps', 'list')).toMatchObject({ exitCode: 0 });
    await run('profiles', 'set', 'other', '--url', 'http://127.0.0.1:1');
    expect(await run('apps', 'list', '--profile', 'shop')).toMatchObject({ exitCode: 0 });
    await run('profiles', 'remove', 'other');
    await run('profiles', 'use', 'shop');
    expect(JSON.parse(readFileSync(profiles, 'utf8'))).toMatchObject({
      current: 'shop',
      profiles: { shop: { app: 'shop' } },
    });
  });

  it('looks at everything, and says what is not in order', async () => {
    const healthy = await run('--json', 'doctor');
    const findings = JSON.parse(healthy.out) as { name: string; state: string; message: string }[];
    const stateOf = (name: string): string | undefined => findings.find((finding) => finding.name === name)?.state;
    expect([healthy.exitCode, findings.filter(({ state }) => state === 'failed')]).toEqual([0, []]);
    for (const name of [
      'profiles',
      'gateway',
      'time',
      'postgres',
      'redis',
      'lanes',
      'audience-worker',
      'promo-worker',
      'device-edge',
      'eviction',
      'admin token',
      'token',
      'fcm of shop',
    ]) {
      expect([name, stateOf(name)]).toEqual([name, 'ok']);
    }
    const redis = new Redis(postrider.redis.url);
    await redis.config('SET', 'maxmemory-policy', 'allkeys-lru');
    const evicts = await run('doctor');
    await redis.config('SET', 'maxmemory-policy', 'noeviction');
    redis.disconnect();
    const said = /^warning {2}eviction: .*\(maxmemory-policy is allkeys-lru\): set maxmemory-policy to noeviction/m;
    expect([evicts.exitCode, evicts.out]).toEqual([0, expect.stringMatching(said)]);
    const wrong = await run('doctor', '--token', 'wrong', '--admin-token', 'wrong-too');
    expect(wrong.exitCode).toBe(7);
    expect(wrong.out).toMatch(/^FAILED {3}admin token: /m);
    expect(wrong.out).toMatch(/^FAILED {3}token: /m);
    const ofOperator = { POSTRIDER_URL: postrider.system.gatewayUrl, POSTRIDER_ADMIN_TOKEN: postrider.adminToken };
    const elsewhere = { HOME: folder, POSTRIDER_PROFILES: join(folder, 'none.json') };
    const unknown = await runIn({ ...elsewhere, ...ofOperator }, ['doctor', '--app', 'shopp']);
    expect([unknown.exitCode, unknown.out]).toEqual([
      7,
      expect.stringMatching(/^FAILED {3}application: there is no application shopp; /m),
    ]);
    expect(unknown.out).not.toMatch(/^FAILED {3}token/m);
    const nobody = await run('doctor', '--url', 'http://127.0.0.1:1');
    expect([nobody.exitCode, nobody.out]).toEqual([
      7,
      expect.stringMatching(/^FAILED {3}gateway: .* does not answer/m),
    ]);
  });

  it('completes commands in bash, zsh and fish', async () => {
    const { out } = await run('completion', 'bash');
    const script = file('completion.bash', out);
    const completed = (line: string): Promise<string> =>
      new Promise((done, fail) => {
        const words = line.split(' ').map((word) => `'${word}'`);
        const command = `postrider() { '${process.execPath}' '${POSTRIDER}' "$@"; }`;
        const text = `${command}; source '${script}'; COMP_WORDS=(${words.join(' ')}); COMP_CWORD=${words.length - 1}; _postrider; echo "\${COMPREPLY[*]}"`;
        execFile('bash', ['-c', text], { env: { ...env, PATH: process.env.PATH } }, (error, result, err) =>
          error === null ? done(result.trim()) : fail(new Error(err)),
        );
      });
    expect(await completed('postrider se')).toBe('send segments');
    expect(await completed('postrider messages w')).toBe('watch');
    for (const place of [
      '--profile s',
      '--profile = s',
      '--profile =',
      'profiles use s',
      'messages list --profile s',
    ]) {
      expect([place, await completed(`postrider ${place}`)]).toEqual([place, 'shop']);
    }
    expect(await completed('postrider --profile z')).toBe('');
    expect(await completed('postrider completion z')).toBe('zsh');
    expect(await completed('postrider --profile shop segments count --tar')).toBe('--target');
    expect((await run('completion', 'zsh')).out).toContain('#compdef postrider');
    const fish = (await run('completion', 'fish')).out;
    expect(fish).toContain(`complete -c postrider -n '_postrider_at ""' -f -a send -d `);
    expect(fish).toContain(`-n '_postrider_at ""' -l profile -x -a '(_postrider_profiles)' -d `);
    expect(fish).toContain(`complete -c postrider -n '_postrider_at "messages"' -f -a watch -d `);
    expect(fish).toContain(`complete -c postrider -n '_postrider_at "segments count"' -l target -r -d `);
  });

  const OFFERED = [
    ['postrider se', 'segments send'],
    ['postrider messages w', 'watch'],
    ['postrider --profile s', 'shop'],
    ['postrider profiles use s', 'shop'],
    ['postrider completion z', 'zsh'],
    ['postrider --profile shop segments count --tar', '--target'],
    ['postrider devices import --ty', '--type'],
  ] as const;

  /** An environment in which the command is found by its name. */
  const withCommand = (): Record<string, string> => {
    chmodSync(file('postrider', `#!/bin/sh\nexec '${process.execPath}' '${POSTRIDER}' "$@"\n`), 0o755);
    return { ...env, TERM: 'xterm', PATH: `${folder}:${process.env.PATH ?? ''}` };
  };

  withShell('zsh')('completes in a zsh that somebody types into', async () => {
    const script = file('completion.zsh', (await run('completion', 'zsh')).out);
    const offers = file('offers', '');
    for (const [line, words] of OFFERED) {
      const offered = await completeInZsh(line, { script, offers }, withCommand());
      expect([line, offered.trim()]).toEqual([line, words]);
    }
  });

  withShell('fish')('completes in fish', async () => {
    const script = file('completion.fish', (await run('completion', 'fish')).out);
    for (const [line, words] of OFFERED) {
      expect([line, await completeInFish(line, script, withCommand())]).toEqual([line, words]);
    }
  });

  it('says by its exit code that no line of a file is a device, and which name of the mapping may be wrong', async () => {
    const list = file('renamed.ndjson', '{"token":"a","user":"ada"}\n{"token":"b","user":"bea"}\n');
    const mapping = '{"deviceToken":"tokn","pushType":{"value":"fcm"}}';
    const { exitCode, out, err } = await run('devices', 'import', list, '--mapping', mapping);
    expect([exitCode, out]).toEqual([7, expect.stringContaining('0 created, 0 updated, 0 unchanged, 2 skipped')]);
    expect(err).toContain('No device was imported: all 2 lines were skipped');
    expect(err).toContain('The mapping takes the token from "tokn": is this its name in the file?');
  });

  it('says by its exit code which columns of the mapping no line has, and which fields the devices lack', async () => {
    const list = file('userless.ndjson', '{"token":"userless-a","user":"ada"}\n{"token":"userless-b","user":"bea"}\n');
    const mapping = '{"deviceToken":"token","userId":"usr","pushType":{"value":"fcm"}}';
    const { exitCode, out, err } = await run('devices', 'import', list, '--mapping', mapping);
    expect([exitCode, out]).toEqual([7, expect.stringContaining('2 created, 0 updated')]);
    expect(out).toContain('; no line has "usr"');
    expect(err).toContain('No line has "usr", which the mapping names');
    expect(err).toContain('The devices were imported without userId. A new device without a user belongs to a guest.');
    const again = await run('--json', 'devices', 'import', list, '--mapping', mapping.replace('usr', 'user'));
    expect([again.exitCode, JSON.parse(again.out)]).toEqual([0, expect.objectContaining({ missingColumns: [] })]);
    const imports = await run('devices', 'imports');
    expect(imports.out.split('\n')[0]).toMatch(/^IMPORT +UPLOADED +STATUS +LINES +CREATED +FAILED +FILE$/);
    expect(imports.out.split('\n')[1]).toMatch(/^[0-9a-f-]{36} .* done +2 +0 +0 +userless\.ndjson$/);
  });

  it('reads devices from the standard input, whose type an option names', async () => {
    const line = '{"token":"from-stdin","user":"ada"}\n';
    const mapping = '{"deviceToken":"token","userId":"user","pushType":{"value":"fcm"}}';
    const words = ['--json', 'devices', 'import', '-', '--mapping', mapping];
    const unnamed = await runIn(env, words, line);
    expect([unnamed.exitCode, unnamed.err]).toEqual([3, expect.stringContaining('is JSON lines')]);
    const named = await runIn(env, [...words, '--type', 'ndjson'], line);
    expect([named.exitCode, JSON.parse(named.out)]).toEqual([0, expect.objectContaining({ lines: 1, created: 1 })]);
    const packed = file('devices.txt', gzipSync(`[${line}]`));
    const again = await run('--json', 'devices', 'import', packed, '--mapping', mapping, '--type', 'json');
    expect([again.exitCode, JSON.parse(again.out)]).toEqual([0, expect.objectContaining({ unchanged: 1 })]);
    const wrong = await run('devices', 'import', packed, '--type', 'xml');
    expect([wrong.exitCode, wrong.err]).toEqual([2, expect.stringContaining('Allowed choices are csv, ndjson, json')]);
  });

  it('says that Redis is away', async () => {
    await postrider.redis.stop();
    const { exitCode, out } = await run('doctor');
    expect([exitCode, out]).toEqual([7, expect.stringMatching(/^FAILED {3}redis: /m)]);
  });

  it('says once that the database is away, and asks for nothing that is in it', async () => {
    const asked: string[] = [];
    const health = {
      ready: false,
      checks: { postgres: { ok: false, critical: true, durationMs: 1, error: 'connect ECONNREFUSED' } },
    };
    const server = createServer(({ url = '' }, response) => {
      asked.push(url);
      response.statusCode = url === '/health/live' ? 200 : 503;
      response.end(JSON.stringify(url === '/health/live' ? { status: 'live' } : health));
    }).listen(0, '127.0.0.1');
    const ended = await run('--json', 'doctor', '--url', await addressOf(server));
    server.closeAllConnections();
    server.close();
    expect(asked).toEqual(['/health/live', '/health/ready']);
    const findings = JSON.parse(ended.out) as { name: string; state: string }[];
    expect([ended.exitCode, Object.fromEntries(findings.map(({ name, state }) => [name, state]))]).toEqual([
      7,
      { profiles: 'ok', gateway: 'ok', time: 'ok', postgres: 'failed', tokens: 'skipped', vendors: 'skipped' },
    ]);
  });

  it('ends by Ctrl-C with the code of it', async () => {
    const server = createServer(() => undefined).listen(0, '127.0.0.1');
    const child = spawn(process.execPath, [POSTRIDER, 'messages', 'show', 'x', '--url', await addressOf(server)], {
      env: { ...env, PATH: process.env.PATH },
    });
    await new Promise((asked) => server.once('request', asked));
    child.kill('SIGINT');
    expect(await new Promise((ended) => child.on('exit', (code, signal) => ended(code ?? signal)))).toBe(130);
    server.closeAllConnections();
    server.close();
  });

  it('uploads a file of devices as it is, follows the import, and says what was not imported', async () => {
    const seen: { url: string; type: string; packed: string; body: string }[] = [];
    const jobs = [
      { status: 'working', lines: 1 },
      { status: 'done', lines: 3, created: 2, updated: 0, unchanged: 0, skipped: 0, failed: 1 },
    ];
    const answer = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
      const chunks: Buffer[] = [];
      for await (const chunk of request) chunks.push(chunk as Buffer);
      const { url = '', headers, method } = request;
      if (method === 'POST') {
        const packed = headers['content-encoding'] ?? '';
        const bytes = Buffer.concat(chunks);
        const body = (packed === 'gzip' ? gunzipSync(bytes) : bytes).toString('utf8');
        seen.push({ url, type: headers['content-type'] ?? '', packed, body });
      }
      response.end(JSON.stringify(method === 'POST' ? { jobId: 'j1' } : jobs.length > 1 ? jobs.shift() : jobs[0]));
    };
    const server = createServer((request, response) => void answer(request, response)).listen(0, '127.0.0.1');
    const list = file('tokens.csv.gz', gzipSync('token,userId\na,ada\nb,bea\n!,x\n'));
    const where = ['--url', await addressOf(server), '--format', 'tokens', '--push-type', 'fcm'];
    const validated = ['--validate', '--validation-rate', '50'];
    const ended = await run('--json', 'devices', 'import', list, ...where, ...validated);
    expect(seen).toEqual([
      {
        url: '/apps/shop/api/installations/import?name=tokens.csv.gz&format=tokens&pushType=fcm&validate=true&validationRate=50',
        type: 'text/csv',
        packed: 'gzip',
        body: 'token,userId\na,ada\nb,bea\n!,x\n',
      },
    ]);
    expect([ended.exitCode, JSON.parse(ended.out)]).toEqual([
      7,
      expect.objectContaining({ jobId: 'j1', created: 2, failed: 1 }),
    ]);
    server.close();
  });

  it('says what it waits for while it tries again, to people only', async () => {
    const answers = [503, 503, 200];
    const server = createServer((_request, response) => {
      const status = answers.shift() ?? 200;
      const error = { code: 'UNAVAILABLE', message: 'The database is away' };
      response.writeHead(status).end(JSON.stringify(status === 200 ? [] : { error }));
    }).listen(0, '127.0.0.1');
    const words = ['apps', 'list', '--url', await addressOf(server)];
    const { exitCode, err } = await run(...words);
    answers.push(503);
    const quiet = await run('--json', ...words);
    server.close();
    const said = /^(?:The database is away; the next try is in \d\.\d s\n){2}$/;
    expect([exitCode, err]).toEqual([0, expect.stringMatching(said)]);
    expect([quiet.exitCode, quiet.err]).toEqual([0, '']);
  });

  it('follows an import through a restart of the gateway, and names the job when it gives up', async () => {
    const done = { status: 'done', lines: 1, created: 1, updated: 0, unchanged: 0, skipped: 0, failed: 0 };
    const away = { status: 503, body: { error: { code: 'UNAVAILABLE', message: 'not now' } } };
    const looks = [away, away, { status: 200, body: done }];
    const server = createServer(({ method }, response) => {
      const { status, body } = method === 'POST' ? { status: 202, body: { jobId: 'j7' } } : (looks.shift() ?? away);
      // A longer wait than the client's: each look is one request.
      response.writeHead(status, { 'retry-after': '3600' }).end(JSON.stringify(body));
    }).listen(0, '127.0.0.1');
    const list = file('one.csv', 'token,userId\na,ada\n');
    const words = ['devices', 'import', list, '--url', await addressOf(server), '--push-type', 'fcm'];
    const followed = await run('--json', ...words);
    const { exitCode, err } = await run(...words);
    server.closeAllConnections();
    server.close();
    expect([followed.exitCode, followed.out]).toEqual([0, expect.stringContaining('"jobId":"j7"')]);
    expect([exitCode, err]).toEqual([6, expect.stringContaining('its job j7 goes on')]);
  });

  it('moves an application as one file, and says what existed already', async () => {
    const archive = join(folder, 'shop.ndjson.gz');
    expect(await json('apps', 'export', 'shop', archive)).toEqual({ file: archive });
    expect(statSync(archive).mode & 0o077).toBe(0);
    const lines = gunzipSync(readFileSync(archive)).toString().trim().split('\n');
    const end = JSON.parse(lines.at(-1) ?? '') as { end: { users: number; devices: number; segments: number } };
    expect(await run('apps', 'import', 'moved', archive)).toMatchObject({
      exitCode: 5,
      err: 'postrider: There is no application moved (NOT_FOUND)\n`postrider apps create moved` makes it, and so does --create here.\n',
    });
    expect(await json('apps', 'import', 'moved', archive, '--create')).toEqual({
      ...end.end,
      kept: 0,
      failed: 0,
      problems: [],
      changedSettings: true,
      application: expect.objectContaining({ id: 'moved', tokens: expect.anything() }),
    });
    const again = await run('apps', 'import', 'moved', archive);
    expect(again.out).toMatch(
      /^0 users, 0 devices, 0 segments, 0 templates, 0 drafts and 0 trackers are new, [1-9]\d* existed already/,
    );
    const other = join(folder, 'moved.ndjson');
    await json('apps', 'export', 'moved', `${other}.gz`);
    const moved = gunzipSync(readFileSync(`${other}.gz`))
      .toString()
      .trim()
      .split('\n');
    expect(moved.slice(1).sort()).toEqual(lines.slice(1).sort());
    const partly = lines.with(1, '{"draft":{"name":"no message"}}').join('\n');
    expect(await run('apps', 'import', 'moved', file('partly.ndjson', partly))).toMatchObject({
      exitCode: 7,
      out: expect.stringMatching(/existed already\nline 2 message is required$/m),
      err: 'postrider: 1 lines were not imported\n',
    });
    expect(await run('apps', 'import', 'moved', file('wrong.ndjson', 'token,user\n'))).toMatchObject({
      exitCode: 3,
      err: expect.stringContaining('line 1'),
    });
  });

  it('has every command in its README', async () => {
    const { out } = await run('--help');
    const names = [...out.matchAll(/^ {2}(\w+) .*/gm)].map(([, name]) => name).filter((name) => name !== 'help');
    expect(names.length).toBeGreaterThan(9);
    const readme = readFileSync(README, 'utf8');
    expect(
      names.filter(
        (name) => !new RegExp(`^\\| .*\`${name ?? ''} `, 'm').test(readme) && !readme.includes(`\`${name ?? ''}\``),
      ),
    ).toEqual([]);
  });
});

async function addressOf(server: Server): Promise<string> {
  if (!server.listening) await new Promise((listening) => server.once('listening', listening));
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}
