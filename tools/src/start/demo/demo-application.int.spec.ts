import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { createServer, type IncomingMessage, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { obtainDemo, saveDemo } from './demo-application';
import { sendFirstPush } from '../first-push';

const HISTORY = { until: '2026-11-01T00:00:00.000Z', isFilled: true };
const SAVED = { appId: 'demo', serverToken: 'pr_server', clientToken: 'pr_client', history: HISTORY };
const CREDENTIALS = { fcm: {}, apns: {} };

/** The demo application of an earlier start, with which somebody has done things since; a gateway that has it is replaced here. */
describe('the demo application at a later start', () => {
  let folder: string;
  let gateway: Server;
  let url: string;
  /** The tokens that the gateway accepts. */
  let valid: Set<string>;
  let takesDevices: boolean;
  /** The credentials that the gateway has, without their secrets. */
  let stored: Record<string, unknown>[];
  let sent: { method: string; path: string; body: Record<string, unknown> }[];

  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'demo-'));
    gateway = createServer((request, response) => {
      void answerTo(request).then(({ status, body }) => response.writeHead(status).end(JSON.stringify(body)));
    });
    await new Promise<void>((listening) => gateway.listen(0, '127.0.0.1', listening));
    url = `http://127.0.0.1:${(gateway.address() as AddressInfo).port}`;
  });
  beforeEach(async () => {
    [valid, takesDevices, sent, stored] = [new Set(['admin', 'pr_server', 'pr_client']), true, [], []];
    await saveDemo(folder, SAVED);
  });
  afterAll(async () => {
    gateway.close();
    await rm(folder, { recursive: true, force: true });
  });

  async function answerTo(request: IncomingMessage): Promise<{ status: number; body: object }> {
    const chunks: Buffer[] = [];
    for await (const chunk of request as AsyncIterable<Buffer>) chunks.push(chunk);
    const text = Buffer.concat(chunks).toString();
    const body = (text === '' ? {} : JSON.parse(text)) as Record<string, unknown>;
    const { method = '', url: path = '' } = request;
    sent.push({ method, path, body });
    if (path.startsWith('/inbox')) return { status: 200, body: [] };
    const token = String(request.headers.authorization).replace('Bearer ', '');
    return valid.has(token) ? allowed(`${method} ${path}`, body) : { status: 401, body: {} };
  }

  function allowed(call: string, body: Record<string, unknown>): { status: number; body: object } {
    if (call === 'GET /api/admin/apps/demo/vendors') return { status: 200, body: stored };
    if (call === 'POST /api/admin/apps/demo/tokens') {
      const made = `pr_new_${(body.scopes as string[])[0]}`;
      valid.add(made);
      return { status: 201, body: { token: made } };
    }
    if (call.startsWith('GET /api/installations/')) return { status: 404, body: {} };
    if (call === 'POST /api/installations' && !takesDevices) return { status: 401, body: {} };
    return { status: 200, body: { count: 0, deliveries: [] } };
  }

  const registered = (): number => sent.filter(({ path }) => path === '/api/installations').length;

  /** What was stored for which vendor. */
  const puts = (): [string | undefined, object][] =>
    sent.filter(({ method }) => method === 'PUT').map(({ path, body }) => [path.split('/').pop(), body]);

  it('is found with its tokens and its history', async () => {
    expect(await obtainDemo(url, 'admin', folder, CREDENTIALS)).toEqual(SAVED);
    expect(registered()).toBe(4);
  });

  it.each(['pr_server', 'pr_client'])('has new tokens if %s was revoked, and keeps its history', async (revoked) => {
    valid.delete(revoked);
    const demo = await obtainDemo(url, 'admin', folder, CREDENTIALS);
    expect(demo).toEqual({ ...SAVED, serverToken: 'pr_new_server', clientToken: 'pr_new_devices' });
    expect(JSON.parse(await readFile(join(folder, 'demo.json'), 'utf8'))).toEqual(demo);
    expect(registered()).toBe(4);
  });

  it('sends over the simulator when that has another port', async () => {
    const hms = { appId: '1', clientSecret: 'x', endpoint: 'https://127.0.0.1:4443' };
    const sms = { provider: 'twilio', accountSid: 'AC2', endpoint: 'https://127.0.0.1:4443' };
    stored = [
      { vendor: 'hms', appId: '1', endpoint: 'https://127.0.0.1:3443' },
      { vendor: 'sms', provider: 'twilio', accountSid: 'AC2', endpoint: 'https://127.0.0.1:3443' },
    ];
    await obtainDemo(url, 'admin', folder, { ...CREDENTIALS, hms, sms });
    expect(puts()).toEqual([
      ['fcm', {}],
      ['apns', {}],
      ['hms', hms],
      ['sms', sms],
    ]);
  });

  it('keeps credentials that somebody stored in it, and gets none that it did not have', async () => {
    const hms = { appId: '1', clientSecret: 'x', endpoint: 'https://127.0.0.1:4443' };
    const sms = { provider: 'twilio', accountSid: 'AC2', endpoint: 'https://127.0.0.1:4443' };
    stored = [{ vendor: 'hms', appId: '100123456', endpoint: 'https://push-api.cloud.huawei.com' }];
    await obtainDemo(url, 'admin', folder, { ...CREDENTIALS, hms, sms });
    expect(puts().map(([vendor]) => vendor)).toEqual(['fcm', 'apns']);
  });

  it('may refuse its devices, since its settings are those of whoever plays with it', async () => {
    const said = jest.spyOn(console, 'error').mockReturnValue();
    takesDevices = false;
    expect(await obtainDemo(url, 'admin', folder, CREDENTIALS)).toEqual(SAVED);
    expect(said.mock.calls).toEqual([
      [expect.stringMatching(/^The demo application refuses its devices: .* answered 401/)],
    ]);
  });

  it('gets its first push in its quiet hours too, for which the start would wait in vain', async () => {
    await sendFirstPush(url, url, SAVED);
    expect(sent.find(({ path }) => path === '/api/push/toUsers')?.body).toMatchObject({ ignoreQuietHours: true });
  });
});
