import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { runProgram } from '../program';
import { EXIT } from '../terminal/failure';

/** An application as a gateway makes it. */
const MADE = { id: 'shop', name: 'shop', tokens: { server: 'srv-1', client: 'cli-1' }, identityKey: 'key-1' };

describe('postrider apps import --create', () => {
  const profiles = process.env.POSTRIDER_PROFILES;
  let gateway: Server;
  let out: string;
  let err: string;

  beforeEach(async () => {
    [out, err] = ['', ''];
    process.env.POSTRIDER_PROFILES = '/nowhere/profiles.json';
    gateway = createServer((request, response) => {
      const isMade = request.method === 'POST';
      const error = { name: 'NotFound', status: 404, code: 'NOT_FOUND', message: 'There is none', details: [] };
      response.writeHead(isMade ? 201 : 404, { 'content-type': 'application/json' });
      response.end(JSON.stringify(isMade ? MADE : { error }));
    });
    await once(gateway.listen(0, '127.0.0.1'), 'listening');
  });
  afterEach(() => {
    gateway.close();
    gateway.closeAllConnections();
    if (profiles === undefined) delete process.env.POSTRIDER_PROFILES;
    else process.env.POSTRIDER_PROFILES = profiles;
  });

  const run = (...more: string[]): Promise<number> => {
    const url = `http://127.0.0.1:${(gateway.address() as AddressInfo).port}`;
    const streams = {
      out: { write: (text: string) => (out += text) },
      err: { write: (text: string) => (err += text) },
    } as never;
    const words = ['--url', url, '--admin-token', 'a'.repeat(16), 'apps', 'import', 'shop', '/nowhere/shop.ndjson'];
    return runProgram([...words, '--create', ...more], { streams, signal: new AbortController().signal }, '0');
  };

  it('shows the tokens of the application that it made, although the file cannot be read', async () => {
    expect(await run()).toBe(EXIT.usage);
    expect(out).toMatch(/srv-1[^]*cli-1[^]*key-1/);
    expect(err).toContain('ENOENT');
  });

  it('gives them to programs, too', async () => {
    expect(await run('--json')).toBe(EXIT.usage);
    expect(JSON.parse(out)).toEqual({ application: MADE });
    expect(JSON.parse(err)).toMatchObject({ error: { code: 'USAGE' } });
  });
});
