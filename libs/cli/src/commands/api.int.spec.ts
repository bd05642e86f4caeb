import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { EXIT } from '../terminal/failure';
import { CommandWithGateway } from '../testing/command-with-gateway';

describe('postrider api', () => {
  let command: CommandWithGateway;
  let seen: (string | undefined)[];

  beforeEach(async () => {
    command = await CommandWithGateway.start();
    command.answer = (request, response) =>
      void text(request).then((body) => {
        seen = [request.method, request.url, request.headers['content-type'], body];
        response.writeHead(200, { 'content-type': 'application/json; charset=utf-8' }).end('{"id":"t1"}');
      });
  });
  afterEach(() => command.stop());

  it('sends the body that it is given, and prints the answer for people or for programs', async () => {
    expect(await command.run('api', 'POST', '/api/trackers?a=1', '--data', '{"name":"Poster"}')).toBe(EXIT.done);
    expect(seen).toEqual(['POST', '/api/trackers?a=1', 'application/json', '{"name":"Poster"}']);
    expect(command.out).toBe('{\n  "id": "t1"\n}\n');
    command.out = '';
    expect(await command.run('api', 'GET', '/api/admin/apps', '--json')).toBe(EXIT.done);
    expect(seen).toEqual(['GET', '/api/admin/apps', undefined, '']);
    expect(command.out).toBe('{"id":"t1"}\n');
  });

  it('sends a file with its type', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'postrider-api-'));
    const file = join(folder, 'tags.csv');
    writeFileSync(file, 'ada,premium\n');
    expect(await command.run('api', 'POST', '/api/installations/bulk/tags?operation=add', '--file', file)).toBe(0);
    expect(seen.slice(2)).toEqual(['text/csv', 'ada,premium\n']);
    rmSync(folder, { recursive: true });
  });

  it('prints an answer that is not JSON as it comes', async () => {
    command.answer = (_, response) => response.writeHead(200, { 'content-type': 'text/csv' }).end('userId\nada\n');
    expect(await command.run('api', 'GET', '/api/segments/s1/export')).toBe(EXIT.done);
    expect(command.out).toBe('userId\nada\n');
  });

  it('says that an answer broke off', async () => {
    command.answer = (_, response) => {
      response.writeHead(200, { 'content-type': 'application/json', 'content-length': 99 });
      response.write('{"id":', () => response.destroy());
    };
    expect(await command.run('api', 'GET', '/api/users/ada')).toBe(EXIT.unavailable);
    expect(command.err).toContain('did not send the answer to its end');
  });

  it.each([
    [['GET', '/health/live'], 'The path begins with /api/'],
    [['FETCH', '/api/users'], 'Allowed choices are GET'],
    [['POST', '/api/trackers', '--data', '{}', '--file', 'a.json'], 'not both'],
  ])('refuses what it cannot call: %p', async (words, message) => {
    expect(await command.run('api', ...words)).toBe(EXIT.usage);
    expect(command.err).toContain(message);
    expect(command.err).toMatch(/^postrider: /);
  });
});

describe('postrider send', () => {
  it('sends a template at a time, and says if no device gets it', async () => {
    const command = await CommandWithGateway.start();
    let body = '';
    command.answer = (request, response) =>
      void text(request).then((sent) => {
        body = sent;
        response.writeHead(200, { 'content-type': 'application/json' }).end('{"count":0}');
      });
    const words = ['--user', 'ada', '--template', 't1', '--send-at', '2026-12-01T09:00:00Z'];
    expect(await command.run('send', ...words)).toBe(EXIT.done);
    expect(JSON.parse(body)).toEqual({ user: 'ada', templateId: 't1', sendAt: '2026-12-01T09:00:00Z' });
    expect([command.out, command.err]).toEqual(['Sent to 0 devices\n', expect.stringContaining('No device gets it')]);
    command.stop();
  });
});
