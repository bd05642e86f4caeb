import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { gunzipSync, gzipSync } from 'node:zlib';
import { addressOf, type CommandLine, runIn } from './command-line';

/** Importing devices from files. */
export function importsScenario(cli: () => CommandLine): void {
  // The other scenarios count the devices of the application.
  afterEach(() => cli().postrider.database.dataSource.query(`DELETE FROM installations WHERE token <> 'ada-1'`));

  it('says by its exit code that no line of a file is a device, and which name of the mapping may be wrong', async () => {
    const list = cli().file('renamed.ndjson', '{"token":"a","user":"ada"}\n{"token":"b","user":"bea"}\n');
    const mapping = '{"deviceToken":"tokn","pushType":{"value":"fcm"}}';
    const { exitCode, out, err } = await cli().run('devices', 'import', list, '--mapping', mapping);
    expect([exitCode, out]).toEqual([7, expect.stringContaining('0 created, 0 updated, 0 unchanged, 2 skipped')]);
    expect(err).toContain('No device was imported: all 2 lines were skipped');
    expect(err).toContain('The mapping takes the token from "tokn": is this its name in the file?');
  });

  it('says by its exit code which columns of the mapping no line has, and which fields the devices lack', async () => {
    const list = cli().file(
      'userless.ndjson',
      '{"token":"userless-a","user":"ada"}\n{"token":"userless-b","user":"bea"}\n',
    );
    const mapping = '{"deviceToken":"token","userId":"usr","pushType":{"value":"fcm"}}';
    const { exitCode, out, err } = await cli().run('devices', 'import', list, '--mapping', mapping);
    expect([exitCode, out]).toEqual([7, expect.stringContaining('2 created, 0 updated')]);
    expect(out).toContain('; no line has "usr"');
    expect(err).toContain('No line has "usr", which the mapping names');
    expect(err).toContain('The devices were imported without userId. A new device without a user belongs to a guest.');
    const again = await cli().run('--json', 'devices', 'import', list, '--mapping', mapping.replace('usr', 'user'));
    expect([again.exitCode, JSON.parse(again.out)]).toEqual([0, expect.objectContaining({ missingColumns: [] })]);
    const imports = await cli().run('devices', 'imports');
    expect(imports.out.split('\n')[0]).toMatch(/^IMPORT +UPLOADED +STATUS +LINES +CREATED +FAILED +FILE$/);
    expect(imports.out.split('\n')[1]).toMatch(/^[0-9a-f-]{36} .* done +2 +0 +0 +userless\.ndjson$/);
  });

  it('reads devices from the standard input, whose type an option names', async () => {
    const line = '{"token":"from-stdin","user":"ada"}\n';
    const mapping = '{"deviceToken":"token","userId":"user","pushType":{"value":"fcm"}}';
    const words = ['--json', 'devices', 'import', '-', '--mapping', mapping];
    const unnamed = await runIn(cli().env, words, line);
    expect([unnamed.exitCode, unnamed.err]).toEqual([3, expect.stringContaining('is JSON lines')]);
    const named = await runIn(cli().env, [...words, '--type', 'ndjson'], line);
    expect([named.exitCode, JSON.parse(named.out)]).toEqual([0, expect.objectContaining({ lines: 1, created: 1 })]);
    const packed = cli().file('devices.txt', gzipSync(`[${line}]`));
    const again = await cli().run('--json', 'devices', 'import', packed, '--mapping', mapping, '--type', 'json');
    expect([again.exitCode, JSON.parse(again.out)]).toEqual([0, expect.objectContaining({ unchanged: 1 })]);
    const wrong = await cli().run('devices', 'import', packed, '--type', 'xml');
    expect([wrong.exitCode, wrong.err]).toEqual([2, expect.stringContaining('Allowed choices are csv, ndjson, json')]);
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
    const list = cli().file('tokens.csv.gz', gzipSync('token,userId\na,ada\nb,bea\n!,x\n'));
    const where = ['--url', await addressOf(server), '--format', 'tokens', '--push-type', 'fcm'];
    const validated = ['--validate', '--validation-rate', '50'];
    const ended = await cli().run('--json', 'devices', 'import', list, ...where, ...validated);
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

  it('follows an import through a restart of the gateway, and names the job when it gives up', async () => {
    const done = { status: 'done', lines: 1, created: 1, updated: 0, unchanged: 0, skipped: 0, failed: 0 };
    const away = { status: 503, body: { error: { code: 'UNAVAILABLE', message: 'not now' } } };
    const looks = [away, away, { status: 200, body: done }];
    const server = createServer(({ method }, response) => {
      const { status, body } = method === 'POST' ? { status: 202, body: { jobId: 'j7' } } : (looks.shift() ?? away);
      // A longer wait than the client's: each look is one request.
      response.writeHead(status, { 'retry-after': '3600' }).end(JSON.stringify(body));
    }).listen(0, '127.0.0.1');
    const list = cli().file('one.csv', 'token,userId\na,ada\n');
    const words = ['devices', 'import', list, '--url', await addressOf(server), '--push-type', 'fcm'];
    const followed = await cli().run('--json', ...words);
    const { exitCode, err } = await cli().run(...words);
    server.closeAllConnections();
    server.close();
    expect([followed.exitCode, followed.out]).toEqual([0, expect.stringContaining('"jobId":"j7"')]);
    expect([exitCode, err]).toEqual([6, expect.stringContaining('its job j7 goes on')]);
  });
}
