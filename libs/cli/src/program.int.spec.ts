import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { createServer, type RequestListener, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { runProgram } from './program';
import { EXIT } from './terminal/failure';

describe('a command', () => {
  const profiles = process.env.POSTRIDER_PROFILES;
  let gateway: Server;
  let answer: RequestListener;
  let interrupted: AbortController;
  let err: string;

  beforeEach(async () => {
    err = '';
    interrupted = new AbortController();
    process.env.POSTRIDER_PROFILES = '/nowhere/profiles.json';
    gateway = createServer((request, response) => answer(request, response));
    await once(gateway.listen(0, '127.0.0.1'), 'listening');
  });
  afterEach(() => {
    gateway.close();
    gateway.closeAllConnections();
    if (profiles === undefined) delete process.env.POSTRIDER_PROFILES;
    else process.env.POSTRIDER_PROFILES = profiles;
  });

  const run = (...words: string[]): Promise<number> => {
    const url = `http://127.0.0.1:${(gateway.address() as AddressInfo).port}`;
    const streams = { out: { write: () => true }, err: { write: (text: string) => (err += text) } } as never;
    const token = 'a'.repeat(16);
    const program = ['--url', url, '--token', token, '--admin-token', token, ...words];
    return runProgram(program, { streams, signal: interrupted.signal }, '0');
  };

  it.each([['messages'], ['campaigns']])('that lists %s ends with Ctrl-C', async (name) => {
    answer = (_, response) => {
      interrupted.abort();
      setImmediate(() => {
        response.writeHead(200, { 'content-type': 'application/json' });
        response.end(JSON.stringify({ [name]: [], nextCursor: null }));
      });
    };
    const words = name === 'campaigns' ? ['--campaigns'] : [];
    expect(await run('messages', 'list', ...words)).toBe(EXIT.interrupted);
  });

  it('that gets half of an archive says that it may succeed later, and leaves no file', async () => {
    answer = (_, response) => {
      response.writeHead(200, { 'content-type': 'application/gzip' });
      response.write('half', () => response.destroy());
    };
    const file = join(__dirname, 'half.ndjson.gz');
    expect(await run('apps', 'export', 'shop', file)).toBe(EXIT.unavailable);
    expect(err).toMatch(/did not send the archive to its end/);
    expect([existsSync(file), existsSync(`${file}.part`)]).toEqual([false, false]);
    answer = (_, response) => response.writeHead(200).end('whole');
    expect(await run('apps', 'export', 'shop', '/nowhere/shop.ndjson.gz')).toBe(EXIT.usage);
    expect(err).toMatch(/ENOENT/);
  });

  it('that sends to a user and to everybody sends nothing', async () => {
    let requests = 0;
    answer = (_, response) => {
      requests++;
      response.writeHead(200, { 'content-type': 'application/json' }).end('{"count":1}');
    };
    expect(await run('send', '--user', 'ada', '--everybody', '--content', 'Tea?')).toBe(EXIT.usage);
    expect([requests, err]).toEqual([0, 'postrider: To whom? Give --user or --everybody, not both\n']);
  });

  it.each(['none', 'constructor'])('with a profile that nobody made asks for nothing: %s', async (name) => {
    answer = (_, response) => response.writeHead(500).end();
    expect(await run('messages', 'list', '--profile', name)).toBe(EXIT.usage);
    expect(err).toContain(`There is no profile ${name}\nProfiles: none.`);
  });

  it('that follows an import has named its job when Ctrl-C ends it', async () => {
    answer = ({ method }, response) => {
      if (method === 'POST') response.writeHead(202).end('{"jobId":"j1"}');
      else interrupted.abort();
    };
    const words = ['devices', 'import', __filename, '--type', 'csv', '--push-type', 'fcm'];
    expect(await run(...words)).toBe(EXIT.interrupted);
    expect(err).toContain('Uploaded. The import is the job j1\n');
  });
});
