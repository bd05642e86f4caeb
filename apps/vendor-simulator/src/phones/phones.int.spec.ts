import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { signJwt, untilTrue } from '@postrider/testing';
import { SimulatorStage } from '../testing/use-simulator';

interface Reported {
  userId: string;
  installationId: string;
  eventData: { actionType: string; msgId: string; actionId?: string }[];
}

const TOKEN = 'ab'.repeat(32);
const PAYLOAD = {
  aps: { alert: { title: 'Parcel', body: 'It comes today' } },
  mid: 'message-1',
  actions: [{ id: 'track' }],
};

describe('the phones behind the tokens', () => {
  const simulator = new SimulatorStage();
  let gateway: Server;
  /** APNs refuses a sender that makes a new one for each push. */
  let providerToken: string;
  let reports: Reported[] = [];
  let tokens: (string | undefined)[] = [];

  // A simulator and a gateway for each test: people react minutes later.
  beforeEach(async () => {
    [reports, tokens] = [[], []];
    gateway = createServer((request, response) => {
      const chunks: Buffer[] = [];
      request.on('data', (chunk: Buffer) => chunks.push(chunk));
      request.on('end', () => {
        tokens.push(String(request.headers['x-access-token']));
        reports.push(JSON.parse(Buffer.concat(chunks).toString()) as Reported);
        response.end('{}');
      });
    });
    await new Promise<void>((ready) => gateway.listen(0, '127.0.0.1', ready));
    await simulator.open({});
    simulator.begin();
    const { keyId, teamId, privateKey } = simulator.credentials.apns;
    providerToken = signJwt({ iss: teamId, iat: Math.floor(Date.now() / 1_000) }, privateKey, { kid: keyId });
    const { port } = gateway.address() as AddressInfo;
    const phones = [{ token: TOKEN, installationId: 'installation-1', userId: 'ada' }];
    const setup = { gateway: `http://127.0.0.1:${port}`, accessToken: 'device-key', phones, react: false };
    expect((await put('/phones', setup)).status).toBe(200);
  });
  afterEach(async () => {
    simulator.client.close();
    await simulator.close();
    await new Promise((closed) => gateway.close(closed));
  });

  const put = (path: string, body: unknown): Promise<Response> =>
    fetch(simulator.running.controlOrigin + path, { method: 'PUT', body: JSON.stringify(body) });
  const read = async (path: string): Promise<ReturnType<typeof JSON.parse>> =>
    (await fetch(simulator.running.controlOrigin + path)).json();
  const push = (token: string): Promise<unknown> => {
    const { topic } = simulator.credentials.apns;
    return simulator.client.post(`/3/device/${token}`, PAYLOAD, {
      authorization: `bearer ${providerToken}`,
      'apns-topic': topic,
    });
  };

  it('are as many as the demonstration tells of, with tokens as long as those of FCM', async () => {
    const phones = Array.from({ length: 5_000 }, (_, n) => ({
      token: `${n}`.padStart(160, 'c'),
      installationId: `01a20560-d7ae-77bf-b5de-${String(n).padStart(12, '0')}`,
      userId: `user-${n}`,
    }));
    const setup = { gateway: 'http://127.0.0.1:9', accessToken: 'device-key', phones, react: false };
    expect((await put('/phones', setup)).status).toBe(200);
    expect(await read('/phones')).toMatchObject({ phones: phones.length });
  });

  it('report a tap as the app would, and only of messages that came to a known phone', async () => {
    await push('cd'.repeat(32));
    await push(TOKEN);
    const [mine, others] = (await read('/inbox')) as { id: number; userId?: string }[];
    expect([mine?.userId, others?.userId]).toEqual(['ada', undefined]);
    expect(await (await put('/taps', { id: mine?.id, kind: 'ACTION_TAKEN', actionId: 'track' })).json()).toEqual({
      status: 200,
    });
    expect(reports).toEqual([
      expect.objectContaining({
        userId: 'ada',
        installationId: 'installation-1',
        eventData: [
          expect.objectContaining({ type: 1, actionType: 'ACTION_TAKEN', msgId: 'message-1', actionId: 'track' }),
        ],
      }),
    ]);
    expect(tokens).toEqual(['device-key']);
    expect((await put('/taps', { id: others?.id, kind: 'OPENED' })).status).toBe(400);
    expect((await put('/taps', { id: mine?.id, kind: 'EATEN' })).status).toBe(400);
    expect(await read('/phones')).toEqual({ phones: 1, reported: 1, failed: 0, waiting: 0 });
  });

  it('report by themselves once their people react', async () => {
    const { port } = gateway.address() as AddressInfo;
    const phones = Array.from({ length: 20 }, (_, n) => ({
      token: n.toString(16).padStart(64, '0'),
      installationId: `installation-${n}`,
      userId: `user-${n}`,
    }));
    await put('/phones', { gateway: `http://127.0.0.1:${port}`, accessToken: 'k', phones, react: true });
    await Promise.all(phones.map(({ token }) => push(token)));
    await untilTrue(() => reports.some(({ eventData }) => eventData[0]?.actionType === 'SHOWN'));
    const kinds = new Set(reports.map(({ eventData }) => eventData[0]?.actionType));
    expect(kinds).toContain('DELIVERED');
  });

  it('show what their users can do on the page, where it is searched and cleared', async () => {
    await push(TOKEN);
    await push('cd'.repeat(32));
    const cards = async (search: string): Promise<number> => {
      const { html } = (await read(`/cards?after=0&search=${search}`)) as { html: string };
      return html.split('class="card"').length - 1;
    };
    expect([await cards('ada'), await cards('parcel'), await cards('today%20cdcd'), await cards('nobody')]).toEqual([
      1, 2, 1, 0,
    ]);
    const page = await (await fetch(simulator.running.controlOrigin)).text();
    expect(page.match(/data-tap="OPENED"/g)).toHaveLength(1);
    expect(page).toContain('data-action="track"');
  });

  it('are not needed to switch a fault on, which leaves other rules alone', async () => {
    await put('/faults', [{ vendor: 'sms', fault: { kind: 'hang' } }]);
    expect((await put('/faults/switches', { name: 'apns-busy', on: true })).status).toBe(200);
    expect(await push(TOKEN)).toMatchObject({ status: 429 });
    expect(await (await fetch(simulator.running.controlOrigin)).text()).toContain('data-switch="apns-busy" checked');
    await put('/faults/switches', { name: 'apns-busy', on: false });
    expect(await push(TOKEN)).toMatchObject({ status: 200 });
    expect(await read('/faults')).toEqual([expect.objectContaining({ vendor: 'sms', fault: { kind: 'hang' } })]);
    expect((await put('/faults/switches', { name: 'nothing', on: true })).status).toBe(400);
  });
});
