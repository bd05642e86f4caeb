import fs, { existsSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { json } from 'node:stream/consumers';
import { EXIT, Interruption } from './terminal/failure';
import { CommandWithGateway } from './testing/command-with-gateway';

type Opened = (error: NodeJS.ErrnoException | null, fd: number) => void;

describe('a command', () => {
  let command: CommandWithGateway;

  beforeEach(async () => {
    command = await CommandWithGateway.start();
  });
  afterEach(() => command.stop());

  it.each([['messages'], ['campaigns']])('that lists %s ends with Ctrl-C', async (name) => {
    command.answer = (_, response) => {
      command.interrupted.abort();
      setImmediate(() => {
        response.writeHead(200, { 'content-type': 'application/json' });
        response.end(JSON.stringify({ [name]: [], nextCursor: null }));
      });
    };
    const words = name === 'campaigns' ? ['--campaigns'] : [];
    expect(await command.run('messages', 'list', ...words)).toBe(EXIT.interrupted);
  });

  it('that SIGTERM ends has the exit code of it', async () => {
    command.answer = () => command.interrupted.abort(new Interruption('SIGTERM'));
    expect(await command.run('messages', 'list')).toBe(143);
    expect(command.err).toBe('');
  });

  it('that gets half of an archive says that it may succeed later, and leaves no file', async () => {
    command.answer = (_, response) => {
      response.writeHead(200, { 'content-type': 'application/gzip' });
      response.write('half', () => response.destroy());
    };
    const file = join(__dirname, 'half.ndjson.gz');
    expect(await command.run('apps', 'export', 'shop', file)).toBe(EXIT.unavailable);
    expect(command.err).toMatch(/did not send the archive to its end/);
    expect([existsSync(file), existsSync(`${file}.part`)]).toEqual([false, false]);
    command.answer = (_, response) => response.writeHead(200).end('whole');
    expect(await command.run('apps', 'export', 'shop', '/nowhere/shop.ndjson.gz')).toBe(EXIT.usage);
    expect(command.err).toMatch(/ENOENT/);
  });

  it('whose answer breaks off before the disk made the file leaves no file either', async () => {
    const file = join(mkdtempSync(join(tmpdir(), 'postrider-export-')), 'shop.ndjson.gz');
    const { open } = fs;
    const late: (() => Promise<void>)[] = [];
    const openLater = (path: string, flags: string, mode: number, done: Opened): void => {
      const openNow = (opened: () => void): void => {
        open(path, flags, mode, (...result) => {
          done(...result);
          opened();
        });
      };
      late.push(() => new Promise(openNow));
    };
    const disk = jest.spyOn(fs, 'open').mockImplementation(openLater as never);
    command.answer = (_, response) => {
      response.writeHead(200, { 'content-type': 'application/gzip' });
      response.write('half', () => response.destroy());
    };
    try {
      expect(await command.run('apps', 'export', 'shop', file)).toBe(EXIT.unavailable);
    } finally {
      disk.mockRestore();
    }
    for (const openFile of late) await openFile();
    expect(readdirSync(dirname(file))).toEqual([]);
    rmSync(dirname(file), { recursive: true });
  });

  it('that lists applications says which is being deleted', async () => {
    const shop = { id: 'shop', name: 'Shop', createdAt: '2026-01-02T03:04:05Z', removalBeganAt: null };
    const former = { ...shop, id: 'former', name: 'Former', removalBeganAt: '2026-02-02T03:04:05Z' };
    command.answer = (_, response) => {
      response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify([shop, former]));
    };
    expect(await command.run('apps', 'list')).toBe(EXIT.done);
    expect(command.out.match(/being deleted/g)).toHaveLength(1);
    expect(command.out).toContain('Former (is being deleted)');
  });

  it.each([
    [[], {}, '2026-01-02T03:04:05.000Z', 'The former key is valid until 2026-01-02T03:04:05.000Z.'],
    [['--former-valid', '0'], { formerValidSeconds: 0 }, null, 'The former key is no longer valid.'],
  ])(
    'that gives an application another identity key with %j says what becomes of the former one',
    async (words, asked, formerValidUntil, says) => {
      const bodies: unknown[] = [];
      command.answer = (request, response) => {
        void json(request).then((body) => {
          bodies.push([request.method, request.url, body]);
          const answer = { id: 'shop', identityKey: 'the-new-key', formerValidUntil };
          response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(answer));
        });
      };
      expect(await command.run('apps', 'rotate-identity-key', 'shop', ...words)).toBe(EXIT.done);
      expect(bodies).toEqual([['POST', '/api/admin/apps/shop/rotate-identity-key', asked]]);
      expect(command.out).toContain('the-new-key');
      expect(command.out).toContain(says);
    },
  );

  it('that sends to a user and to everybody sends nothing', async () => {
    let requests = 0;
    command.answer = (_, response) => {
      requests++;
      response.writeHead(200, { 'content-type': 'application/json' }).end('{"count":1}');
    };
    expect(await command.run('send', '--user', 'ada', '--everybody', '--content', 'Tea?')).toBe(EXIT.usage);
    expect([requests, command.err]).toEqual([0, 'postrider: To whom? Give --user or --everybody, not both\n']);
  });

  it.each(['none', 'constructor'])('with a profile that nobody made asks for nothing: %s', async (name) => {
    command.answer = (_, response) => response.writeHead(500).end();
    expect(await command.run('messages', 'list', '--profile', name)).toBe(EXIT.usage);
    expect(command.err).toContain(`There is no profile ${name}\nProfiles: none.`);
  });

  it.each([
    ['--token', 'The token', ['doctor']],
    ['--admin-token', 'The admin token', ['doctor']],
    ['--admin-token', 'The admin token', ['apps', 'list']],
    ['--token', 'The token', ['profiles', 'set', 'shop']],
  ])('with a line break in %s asks for nothing and shows no token: %s, %j', async (option, named, words) => {
    let requests = 0;
    command.answer = (_, response) => {
      requests++;
      response.end();
    };
    expect(await command.run(option, 'secret-one\nsecret-two', ...words)).toBe(EXIT.usage);
    expect(command.err).toContain(
      `postrider: ${named} holds a blank, a line break or another character that no token has`,
    );
    expect([requests, `${command.out}${command.err}`.includes('secret')]).toEqual([0, false]);
  });

  it('that follows an import has named its job when Ctrl-C ends it', async () => {
    command.answer = ({ method }, response) => {
      if (method === 'POST') response.writeHead(202).end('{"jobId":"j1"}');
      else command.interrupted.abort();
    };
    const words = ['devices', 'import', __filename, '--type', 'csv', '--push-type', 'fcm'];
    expect(await command.run(...words)).toBe(EXIT.interrupted);
    expect(command.err).toContain(
      'Uploaded. The import is the job j1\nIt goes on if this command ends before: `postrider devices imports` shows it.\n',
    );
  });

  describe('that sends a file', () => {
    const folder = mkdtempSync(join(tmpdir(), 'postrider-cli-'));
    const file = join(folder, 'message.json');
    let sent: unknown[];

    beforeEach(() => {
      sent = [];
      command.answer = (request, response) => {
        void json(request).then((body) => {
          sent.push(body);
          response.writeHead(200, { 'content-type': 'application/json' }).end('{"count":1}');
        });
      };
    });
    afterAll(() => rmSync(folder, { recursive: true }));

    it('keeps its content beside the text of an option', async () => {
      writeFileSync(file, JSON.stringify({ content: 'for the app', notification: { title: 'Tea' } }));
      expect(await command.run('send', '--user', 'ada', '--file', file, '--body', 'for the person')).toBe(EXIT.done);
      expect(sent).toEqual([
        { user: 'ada', content: 'for the app', notification: { title: 'Tea', body: 'for the person' } },
      ]);
    });

    it('sends one whose content is a template', async () => {
      writeFileSync(file, '{ "user": "ada", "templateId": "t1", "variables": { "order": 17 } }');
      expect(await command.run('send', '--file', file)).toBe(EXIT.done);
      expect(sent).toEqual([{ user: 'ada', templateId: 't1', variables: { order: 17 } }]);
    });

    it('sends a list of messages as it is, and no option of one message with it', async () => {
      const list = [
        { user: 'ada', content: 'Order 17' },
        { user: 'omid', content: 'Order 18' },
      ];
      writeFileSync(file, JSON.stringify(list));
      expect(await command.run('send', '--file', file, '--track-id', 'orders')).toBe(EXIT.usage);
      expect(command.err).toContain('The file is a list of messages: put what --track-id says into each of them');
      expect(sent).toEqual([]);
      expect(await command.run('send', '--file', file, '--idempotency-key', 'k1')).toBe(EXIT.done);
      expect(sent).toEqual([list]);
    });

    it('sends no number that is another one than in the file', async () => {
      writeFileSync(file, '{ "content": "Paid", "data": { "order": 9007199254740993 } }');
      expect(await command.run('send', '--user', 'ada', '--file', file)).toBe(EXIT.usage);
      expect(command.err).toContain('9007199254740993');
      const words = ['send', '--user', 'ada', '--content', 'Paid', '--data'];
      expect(await command.run(...words, '{"order":12345678901234567890}')).toBe(EXIT.usage);
      expect(command.err).toContain('12345678901234567890');
      expect(sent).toEqual([]);
      expect(await command.run(...words, '{"order":"12345678901234567890","n":1e20,"m":9007199254740992}')).toBe(0);
      expect(sent).toHaveLength(1);
    });
  });

  it('that lists segments shows their sizes, as far as they are measured', async () => {
    const size = { at: '2026-11-29T10:00:00.000Z', devices: 1_260, reachable: 1_198, users: 900 };
    const segments = [
      { id: 's1', name: 'Trial', size },
      { id: 's2', name: 'New', size: null },
    ];
    command.answer = (_, response) => {
      response.writeHead(200, { 'content-type': 'application/json' });
      response.end(JSON.stringify({ segments, nextCursor: null }));
    };
    expect(await command.run('segments', 'list')).toBe(EXIT.done);
    expect(command.out.split('\n').map((line) => line.split(/ {2,}/))).toEqual([
      ['SEGMENT', 'DEVICES', 'REACHABLE', 'NAME'],
      ['s1', '1260', '1198', 'Trial'],
      ['s2', '-', '-', 'New'],
      [''],
    ]);
  });

  it('shows control characters of a track id, and obeys none', async () => {
    const message = {
      id: 'm1',
      status: 'done',
      trackId: 'a\u001b[2J\nb',
      count: 1,
      recipients: 1,
      totals: {},
      errors: {},
    };
    command.answer = (_, response) => {
      response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(message));
    };
    expect(await command.run('messages', 'show', 'm1')).toBe(EXIT.done);
    expect(command.out.trimEnd().split('\n')).toHaveLength(4);
    expect(command.out).toContain('a\\x1b[2J\\x0ab');
  });

  it('says when a scheduled message is sent, and why devices were skipped', async () => {
    const message = {
      id: 'm1',
      status: 'accepted',
      trackId: null,
      count: 3,
      recipients: 3,
      sendAt: '2030-05-01T09:00:00.000Z',
      acceptedAt: '2030-04-01T09:00:00.000Z',
      totals: { pending: 1, skipped: 2 },
      errors: {},
      skipped: { frequency_cap: 2 },
    };
    let changes: object = {};
    command.answer = (_, response) => {
      response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify({ ...message, ...changes }));
    };
    expect(await command.run('messages', 'show', 'm1')).toBe(EXIT.done);
    expect(command.out).toContain('accepted  to be sent at 2030-05-01T09:00:00.000Z  m1  2030-04-01T09:00:00.000Z\n');
    expect(command.out).toContain('errors: none  skipped: frequency_cap 2\n');
    changes = { sendAt: '2030-05-01T09:00', localTime: true };
    expect(await command.run('messages', 'show', 'm1')).toBe(EXIT.done);
    expect(command.out).toContain('accepted  to be sent at 2030-05-01T09:00 in local time  m1');
    changes = { status: 'done' };
    expect(await command.run('messages', 'show', 'm1')).toBe(EXIT.done);
    expect(command.out).toContain('done  m1  2030-04-01T09:00:00.000Z\n');
  });
});
