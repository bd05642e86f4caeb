import { EXIT } from '../terminal/failure';
import { CommandWithGateway } from '../testing/command-with-gateway';

/** The answer to an import that ended well. */
const DONE = { status: 'done', lines: 3, created: 1, updated: 0, unchanged: 0, skipped: 0, failed: 0, incomplete: 0 };

describe('postrider devices import', () => {
  let command: CommandWithGateway;
  let job: Record<string, unknown>;

  beforeEach(async () => {
    command = await CommandWithGateway.start();
    command.answer = ({ method }, response) => {
      response.writeHead(method === 'POST' ? 202 : 200, { 'content-type': 'application/json' });
      response.end(JSON.stringify(method === 'POST' ? { jobId: 'j1' } : job));
    };
  });
  afterEach(() => command.stop());

  const run = (...more: string[]): Promise<number> =>
    command.run('devices', 'import', __filename, '--type', 'csv', '--push-type', 'fcm', ...more);

  it('names the lines that are wrong, and what was left out of others', async () => {
    const errors = [
      { line: 2, message: 'location must be a place\u001b[2J; the device is imported without it' },
      { index: 0, message: 'token must be text' },
    ];
    job = { ...DONE, failed: 1, incomplete: 1, errors };
    expect(await run()).toBe(EXIT.notInOrder);
    const [, ...lines] = command.out.trimEnd().split('\n');
    expect(lines).toEqual([
      'line 2: location must be a place\\x1b[2J; the device is imported without it',
      'element 0: token must be text',
    ]);
    expect(command.err).toContain('1 line was not imported\n`postrider devices errors j1` names each line.');
  });

  it('names ten of many lines, and says where the others are', async () => {
    const errors = Array.from({ length: 100 }, (_, n) => ({ line: n + 2, message: 'launchTime must be a time' }));
    job = { ...DONE, created: 120, incomplete: 120, errors };
    expect(await run()).toBe(EXIT.done);
    const [, ...lines] = command.out.trimEnd().split('\n');
    expect(lines.slice(9)).toEqual([
      'line 11: launchTime must be a time',
      '110 more: `postrider devices errors j1` names each line.',
    ]);
  });

  it('says what the file was read as, and which columns were not read', async () => {
    job = { ...DONE, format: 'tokens', unreadColumns: ['platform', 'created\u001bat'] };
    expect(await run()).toBe(EXIT.done);
    expect(command.out.trimEnd().split('\n').slice(1)).toEqual([
      'Read as tokens, without the columns "platform", "created\\u001bat": a mapping says what they contain.',
    ]);
    job = { ...DONE, format: 'onesignal', unreadColumns: [] };
    expect(await run()).toBe(EXIT.done);
    expect(command.out).toContain('0 failed\nRead as onesignal.\n');
  });

  it('of an older service, or with nothing wrong, has one line', async () => {
    job = { ...DONE };
    expect(await run()).toBe(EXIT.done);
    expect(command.out).toBe('3 lines: 1 created, 0 updated, 0 unchanged, 0 skipped, 0 failed\n');
  });

  it('counts one line as one', async () => {
    job = { ...DONE, lines: 1 };
    expect(await run()).toBe(EXIT.done);
    expect(command.out).toMatch(/^1 line: 1 created/);
  });

  it('says of one skipped line that it was skipped', async () => {
    job = { ...DONE, lines: 1, created: 0, skipped: 1 };
    expect(await run()).toBe(EXIT.notInOrder);
    expect(command.err).toContain('No device was imported: its one line was skipped');
  });
});

describe('postrider devices errors', () => {
  let command: CommandWithGateway;

  beforeEach(async () => {
    command = await CommandWithGateway.start();
  });
  afterEach(() => command.stop());

  it('names each wrong line, however the list is cut into chunks', async () => {
    const asked: (string | undefined)[] = [];
    command.answer = ({ url }, response) => {
      asked.push(url);
      response.writeHead(200, { 'content-type': 'application/x-ndjson' });
      response.write('{"line":2,"message":"token must be te');
      setImmediate(() => response.end('xt\u001b"}\n{"index":0,"message":"a \u00fc"}\n'.replace('\u001b', '\\u001b')));
    };
    expect(await command.run('devices', 'errors', 'j/1')).toBe(EXIT.done);
    expect(command.out).toBe('line 2: token must be text\\x1b\nelement 0: a \u00fc\n');
    command.out = '';
    expect(await command.run('--json', 'devices', 'errors', 'j/1')).toBe(EXIT.done);
    expect(command.out.trimEnd().split('\n')[1]).toBe('{"index":0,"message":"a \u00fc"}');
    expect(asked).toEqual(['/api/installations/import/j%2F1/errors', '/api/installations/import/j%2F1/errors']);
  });

  it('says that the list has more lines if its end did not come', async () => {
    command.answer = (_, response) => {
      response.writeHead(200, { 'content-type': 'application/x-ndjson' });
      response.write('{"line":2,"message":"m"}\n{"li', () => response.destroy());
    };
    expect(await command.run('devices', 'errors', 'j1')).toBe(EXIT.unavailable);
    expect([command.out, command.err]).toEqual([
      'line 2: m\n',
      expect.stringContaining('did not send the list to its end'),
    ]);
  });
});
