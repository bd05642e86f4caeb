import { execFileSync } from 'node:child_process';
import {
  closeSync,
  lstatSync,
  mkdtempSync,
  openSync,
  readdirSync,
  readFileSync,
  readSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { EXIT } from '../terminal/failure';
import { CommandWithGateway } from '../testing/command-with-gateway';

/** An application as a gateway makes it. */
const MADE = { id: 'shop', name: 'shop', tokens: { server: 'srv-1', client: 'cli-1' }, identityKey: 'key-1' };

describe('postrider apps import --create', () => {
  let command: CommandWithGateway;

  beforeEach(async () => {
    command = await CommandWithGateway.start();
    command.answer = ({ method }, response) => {
      const isMade = method === 'POST';
      const error = { name: 'NotFound', status: 404, code: 'NOT_FOUND', message: 'There is none', details: [] };
      response.writeHead(isMade ? 201 : 404, { 'content-type': 'application/json' });
      response.end(JSON.stringify(isMade ? MADE : { error }));
    };
  });
  afterEach(() => command.stop());

  const run = (...more: string[]): Promise<number> =>
    command.run('apps', 'import', 'shop', '/nowhere/shop.ndjson', '--create', ...more);

  it('shows the tokens of the application that it made, although the file cannot be read', async () => {
    expect(await run()).toBe(EXIT.usage);
    expect(command.out).toMatch(/srv-1[^]*cli-1[^]*key-1/);
    expect(command.err).toContain('ENOENT');
  });

  it('gives them to programs, too', async () => {
    expect(await run('--json')).toBe(EXIT.usage);
    expect(JSON.parse(command.out)).toEqual({ application: MADE });
    expect(JSON.parse(command.err)).toMatchObject({ error: { code: 'USAGE' } });
  });
});

describe('postrider apps import', () => {
  let command: CommandWithGateway;
  let folder: string;

  beforeEach(async () => {
    command = await CommandWithGateway.start();
    folder = mkdtempSync(join(tmpdir(), 'postrider-import-'));
  });
  afterEach(() => {
    command.stop();
    rmSync(folder, { recursive: true });
  });

  it.each([
    ['shop.ndjson.gz', 'gzip'],
    ['SHOP.NDJSON.GZ', 'gzip'],
    ['shop.ndjson', undefined],
  ])('sends %s as what its name says', async (name, encoding) => {
    const encodings: unknown[] = [];
    command.answer = (request, response) => {
      if (request.method === 'POST') encodings.push(request.headers['content-encoding']);
      request.resume().on('end', () => response.writeHead(200, { 'content-type': 'application/json' }).end('{}'));
    };
    writeFileSync(join(folder, name), 'an archive');
    await command.run('apps', 'import', 'shop', join(folder, name));
    expect(encodings).toEqual([encoding]);
  });
});

describe('postrider apps export', () => {
  let command: CommandWithGateway;
  let folder: string;

  beforeEach(async () => {
    command = await CommandWithGateway.start();
    command.answer = (_, response) => response.end('an archive');
    folder = mkdtempSync(join(tmpdir(), 'postrider-export-'));
  });
  afterEach(() => {
    command.stop();
    rmSync(folder, { recursive: true });
  });

  it('writes into a pipe, which stays one', async () => {
    const pipe = join(folder, 'pipe');
    execFileSync('mkfifo', [pipe]);
    const reader = openSync(pipe, 'r+');
    try {
      expect(await command.run('apps', 'export', 'shop', pipe)).toBe(EXIT.done);
      expect([lstatSync(pipe).isFIFO(), command.out]).toEqual([true, '']);
      const bytes = Buffer.alloc(100);
      expect(bytes.toString('utf8', 0, readSync(reader, bytes))).toBe('an archive');
    } finally {
      closeSync(reader);
    }
  });

  it('gives a file its name', async () => {
    const file = join(folder, 'shop.gz');
    expect(await command.run('apps', 'export', 'shop', file)).toBe(EXIT.done);
    expect(readdirSync(folder)).toEqual(['shop.gz']);
    expect(readFileSync(file, 'utf8')).toBe('an archive');
    expect(command.out).toBe(`shop is in ${file}\n`);
  });
});
