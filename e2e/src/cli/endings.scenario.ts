import { spawn } from 'node:child_process';
import { createServer } from 'node:http';
import { addressOf, type CommandLine, POSTRIDER } from './command-line';

/** How commands end: exit codes, errors, waiting, Ctrl-C. */
export function endingsScenario(cli: () => CommandLine): void {
  it('says as JSON and by its exit code what went wrong', async () => {
    const errorOf = async (...words: string[]): Promise<unknown> => {
      const { exitCode, out, err } = await cli().run('--json', ...words);
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
    expect((await cli().run('--json', 'nonsense')).err).toContain('"message":"unknown command \'nonsense\'"');
    for (const words of [[], ['messages']]) {
      expect(JSON.parse((await cli().run('--json', ...words)).err)).toMatchObject({
        error: { exitCode: 2, message: 'Which command? --help lists them' },
      });
    }
    expect(await errorOf('profiles', 'set', 'typo', '--url', 'localhost:3000')).toEqual([2, 'USAGE']);
    expect(await errorOf('send', '--ttl', 'long')).toEqual([2, 'USAGE']);
    for (const interval of ['0', '49', '3600001', 'often']) {
      expect(await errorOf('messages', 'watch', 'x', '--interval', interval)).toEqual([2, 'USAGE']);
    }
    expect((await cli().run('messages', 'watch', 'x', '--interval', '0')).err).toContain('50 to 3600000 milliseconds');
    expect(await errorOf('apps', 'list', '--url', 'nowhere')).toEqual([2, 'USAGE']);
    expect(await errorOf('messages', 'list', '--profile', 'none')).toEqual([2, 'USAGE']);
    const fields = await cli().run('send', '--user', 'ada', '--content', 'x', '--ttl', '99999999999');
    expect(fields.err).toMatch(/^postrider: .* \(INVALID_REQUEST\)\n {2}ttl must/);
  });

  it('says what it waits for while it tries again, to people only', async () => {
    const answers = [503, 503, 200];
    const server = createServer((_request, response) => {
      const status = answers.shift() ?? 200;
      const error = { code: 'UNAVAILABLE', message: 'The database is away' };
      response.writeHead(status).end(JSON.stringify(status === 200 ? [] : { error }));
    }).listen(0, '127.0.0.1');
    const words = ['apps', 'list', '--url', await addressOf(server)];
    const { exitCode, err } = await cli().run(...words);
    answers.push(503);
    const quiet = await cli().run('--json', ...words);
    server.close();
    const said = /^(?:The database is away; the next try is in \d\.\d s\n){2}$/;
    expect([exitCode, err]).toEqual([0, expect.stringMatching(said)]);
    expect([quiet.exitCode, quiet.err]).toEqual([0, '']);
  });

  it.each([
    ['Ctrl-C', 'SIGINT', 130],
    ['SIGTERM', 'SIGTERM', 143],
  ] as const)('ends by %s with the code of it', async (_, name, exitCode) => {
    const server = createServer(() => undefined).listen(0, '127.0.0.1');
    const child = spawn(process.execPath, [POSTRIDER, 'messages', 'show', 'x', '--url', await addressOf(server)], {
      env: { ...cli().env, PATH: process.env.PATH },
    });
    await new Promise((asked) => server.once('request', asked));
    child.kill(name);
    expect(await new Promise((ended) => child.on('exit', (code, signal) => ended(code ?? signal)))).toBe(exitCode);
    server.closeAllConnections();
    server.close();
  });
}
