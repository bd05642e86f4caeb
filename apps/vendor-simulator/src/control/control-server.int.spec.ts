import { createHash } from 'node:crypto';
import { once } from 'node:events';
import { readFile } from 'node:fs/promises';
import { connect } from 'node:net';
import { join } from 'node:path';
import { signJwt } from '@postrider/testing';
import { VendorSimulator } from '../index';
import { useSimulator } from '../testing/use-simulator';

describe('the control port', () => {
  const simulator = useSimulator({ settings: { inboxSize: 3 } });

  const send = (to: string, text = 'Hello'): Promise<unknown> => simulator.client.post('/sms', { to, text });
  const call = (path: string, init?: RequestInit): Promise<Response> =>
    fetch(simulator.running.controlOrigin + path, init);
  const put = (path: string, body: unknown): Promise<Response> =>
    call(path, { method: 'PUT', body: JSON.stringify(body) });
  const json = async (path: string): Promise<ReturnType<typeof JSON.parse>> => (await call(path)).json();

  it('gives the newest messages, by vendor and token, and forgets the oldest but not their number', async () => {
    for (const to of ['1', '2', '3', '4']) await send(to);
    expect((await json('/inbox')).map(({ token }: { token: string }) => token)).toEqual(['4', '3', '2']);
    expect(await json('/inbox?limit=1')).toHaveLength(1);
    expect(await json('/inbox?vendor=fcm')).toEqual([]);
    const [newest] = await json('/inbox?limit=1');
    expect(await json(`/inbox?after=${newest.id - 1}`)).toEqual([newest]);
    expect((await call('/inbox?after=-1')).status).toBe(400);
    expect(await json('/inbox?vendor=sms&token=3')).toEqual([
      expect.objectContaining({ vendor: 'sms', token: '3', body: 'Hello', payload: { to: '3', text: 'Hello' } }),
    ]);
    expect((await json('/stats')).sms).toMatchObject({ accepted: 4, distinctTokens: 4 });
  });

  it('lists the counted tokens a line each', async () => {
    for (const to of ['1', '2', '2']) await send(to);
    expect(await (await call('/tokens?vendor=sms')).text()).toBe('["1",1]\n["2",2]\n');
    expect(await (await call('/tokens?vendor=sms&least=2')).text()).toBe('["2",2]\n');
  });

  it('empties the inbox and the counts', async () => {
    await send('1');
    expect((await call('/inbox', { method: 'DELETE' })).status).toBe(204);
    expect(await json('/inbox')).toEqual([]);
    expect(await json('/stats')).toEqual({});
  });

  it('sets, shows and clears faults, and refuses those it does not understand', async () => {
    const rule = { vendor: 'sms', fault: { kind: 'status', http: 503, retryAfter: 1 } };
    expect((await put('/faults', [rule])).status).toBe(200);
    expect(await simulator.client.post('/sms', { to: '1', text: 'x' })).toMatchObject({ status: 503 });
    expect(await json('/faults')).toEqual([{ ...rule, matched: 1, struck: 1 }]);
    const refusal = await put('/faults', [{ vendor: 'sms', fault: { kind: 'status' } }]);
    expect([refusal.status, await refusal.json()]).toEqual([400, { problems: ['[0].fault lacks "http"'] }]);
    expect((await call('/faults', { method: 'DELETE' })).status).toBe(204);
    expect(await json('/faults')).toEqual([]);
  });

  it('changes settings and refuses what is none', async () => {
    expect(await (await put('/settings', { latencyMs: 1 })).json()).toMatchObject({ latencyMs: 1, inboxSize: 3 });
    expect((await put('/settings', { latencyMs: -1 })).status).toBe(400);
    expect((await put('/settings', { speed: 1 })).status).toBe(400);
    await put('/settings', { latencyMs: 0 });
  });

  it('answers what it does not know with what it knows', async () => {
    expect((await call('/nothing')).status).toBe(404);
    expect((await call('/inbox', { method: 'POST' })).status).toBe(405);
    expect((await call('/faults', { method: 'PUT', body: '{' })).status).toBe(400);
    expect((await call('/inbox?limit=no')).status).toBe(400);
  });

  it('is live and ready', async () => {
    expect((await call('/health/live')).status).toBe(200);
    expect((await call('/health/ready')).status).toBe(200);
  });

  it('shows the inbox as a page that runs its own style and script only', async () => {
    await send('<b>1</b>', '<script>alert(1)</script>');
    const answer = await call('/');
    const html = await answer.text();
    expect(html).toContain('&lt;script&gt;alert(1)&lt;/script&gt;');
    expect(html).not.toContain('<script>alert');
    const policy = answer.headers.get('content-security-policy')!;
    expect(policy).toContain("default-src 'none'");
    for (const element of ['style', 'script']) {
      const content = new RegExp(`<${element}>([^]*?)</${element}>`).exec(html)![1]!;
      expect(policy).toContain(`${element}-src 'sha256-${createHash('sha256').update(content).digest('base64')}'`);
    }
  });

  it('shows a payload in which nothing is what it should be', async () => {
    const { keyId, teamId, privateKey, topic } = simulator.credentials.apns;
    const token = signJwt({ iss: teamId, iat: Math.floor(Date.now() / 1_000) }, privateKey, { kid: keyId });
    const headers = { authorization: `bearer ${token}`, 'apns-topic': topic };
    for (const aps of ['aps', null, { alert: 7 }, { alert: { title: 5, body: ['<i>'] } }]) {
      expect((await simulator.client.post('/3/device/00ff', { aps }, headers)).status).toBe(200);
    }
    const answer = await call('/');
    expect([answer.status, await answer.text()]).toEqual([200, expect.stringContaining('[&quot;&lt;i&gt;&quot;]')]);
    expect([simulator.controls.messages().length, simulator.controls.accepted]).toEqual([3, 4]);
  });

  it('hands a page the cards it has not seen', async () => {
    await send('1');
    const first = await json('/cards?after=0');
    await send('2');
    const second = await json(`/cards?after=${first.lastId}`);
    expect(second.accepted).toBe(2);
    expect(second.html.match(/class="card"/g)).toHaveLength(1);
    expect((await json(`/cards?after=${second.lastId}`)).html).toBe('');
    simulator.controls.clearInbox();
    expect((await json('/cards?after=0')).generation).toBeGreaterThan(second.generation);
  });

  it('keeps its certificates and keys over a restart, on whatever port', async () => {
    const before = simulator.credentials;
    const again = new VendorSimulator({ dataDir: simulator.folder });
    const other = await again.start();
    expect(other.ca).toBe(simulator.running.ca);
    expect(other.credentials.apns.privateKey).toBe(before.apns.privateKey);
    expect(other.credentials.fcm.serviceAccount.token_uri).toBe(`${other.origin}/token`);
    expect(JSON.parse(await readFile(join(simulator.folder, 'credentials.json'), 'utf8'))).toEqual(other.credentials);
    await again.stop();
  });

  it('tells a page that stayed open over a restart to start again, since ids begin with 1 again', async () => {
    const generations: number[] = [];
    for (let start = 0; start < 2; start++) {
      const started = new VendorSimulator({ dataDir: simulator.folder });
      const { controlOrigin } = await started.start();
      const cards = (await (await fetch(`${controlOrigin}/cards?after=0`)).json()) as { generation: number };
      generations.push(cards.generation);
      await started.stop();
    }
    expect(generations[1]).not.toBe(generations[0]);
  });

  it('stops although callers of both ports have connected and sent nothing', async () => {
    const another = new VendorSimulator({ dataDir: simulator.folder });
    const { tlsPort, controlPort } = await another.start();
    const callers = [tlsPort, controlPort].map((port) => connect(port, '127.0.0.1').on('error', () => undefined));
    await Promise.all(callers.map((caller) => once(caller, 'connect')));
    const ended = callers.map((caller) => once(caller, 'close'));
    await another.stop();
    await Promise.all(ended);
  });

  it('says so when a port is taken, and leaves nothing running', async () => {
    const second = new VendorSimulator({ dataDir: simulator.folder, controlPort: simulator.running.controlPort });
    await expect(second.start()).rejects.toMatchObject({ code: 'EADDRINUSE' });
  });
});
