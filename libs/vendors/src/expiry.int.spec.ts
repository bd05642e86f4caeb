import { createServer as createHttpServer, type Server } from 'node:http';
import { type AddressInfo, connect, createServer, type Socket } from 'node:net';
import { createECDH } from 'node:crypto';
import type { PushVendor, SendOutcome, VendorPayload } from '@postrider/domain';
import { type SeenRequest, startHttp2Server, TestClock, type TestHttp2Server, untilTrue } from '@postrider/testing';
import { createSender } from './create-sender';
import { CREDENTIAL_KINDS } from './credentials/credential-kinds';
import { type Sender, sendOnce } from './sender';
import { p256Key, rsaKey } from './testing/keys';

const BROWSER = createECDH('prime256v1');
const KEYS = { p256dh: BROWSER.generateKeys('base64url'), auth: Buffer.alloc(16, 1).toString('base64url') };
const SERVICE_ACCOUNT = {
  project_id: 'p',
  client_email: 'a@p.iam.gserviceaccount.com',
  private_key: rsaKey().privateKey,
};
const APNS_KEY = p256Key().privateKey;
const PAYLOADS: Record<PushVendor, VendorPayload> = {
  fcm: { vendor: 'fcm', message: { data: { m: '1' }, android: { priority: 'HIGH' } } },
  apns: { vendor: 'apns', body: { aps: { alert: 'x' } }, pushType: 'alert', priority: 10 },
  webpush: { vendor: 'webpush', body: { title: 'T' }, urgency: 'high' },
  hms: { vendor: 'hms', message: { data: '{}', android: { urgency: 'HIGH', ttl: '5s' } } },
};
const OVER_HTTP2: PushVendor[] = ['fcm', 'apns', 'webpush'];

/** Holds requests back until the test releases them. */
class Gate {
  #waiting: (() => void)[] = [];
  isOpen = false;

  pass(go: () => void): void {
    if (this.isOpen) go();
    else this.#waiting.push(go);
  }

  async untilWaiting(count = 1): Promise<void> {
    await untilTrue(() => this.#waiting.length >= count);
  }

  open(): void {
    this.isOpen = true;
    for (const go of this.#waiting.splice(0)) go();
  }
}

let clock: TestClock;
let http2: TestHttp2Server;
let http1: Server;
let proxies: { close(): Promise<void> }[];
let tokenGate: Gate;
let connectGate: Gate;
/** The ttl, or the absolute expiry, that each vendor was told. */
let told: string[];
let hold: ((request: SeenRequest) => boolean) | null;
let sender: Sender;

beforeEach(async () => {
  clock = new TestClock(Date.parse('2026-01-01T00:00:00Z'));
  told = [];
  proxies = [];
  hold = null;
  [tokenGate, connectGate] = [new Gate(), new Gate()];
  tokenGate.isOpen = true;
  http2 = await startHttp2Server(
    (request) => {
      if (hold?.(request)) return;
      const { headers, body, answer } = request;
      const ttl = (
        body.startsWith('{"message"') ? (JSON.parse(body) as { message: { android: { ttl: string } } }) : null
      )?.message.android.ttl;
      told.push(ttl ?? String(headers.ttl ?? headers['apns-expiration']));
      answer(200, { name: 'm/1' });
    },
    { settings: { maxConcurrentStreams: 1 } },
  );
  http1 = createHttpServer((request, response) => {
    let text = '';
    request.on('data', (chunk: Buffer) => (text += chunk.toString()));
    request.on('end', () => {
      if (request.url?.includes('token')) {
        tokenGate.pass(() => response.end(JSON.stringify({ access_token: 't', expires_in: 3_600 })));
        return;
      }
      told.push((JSON.parse(text) as { message: { android: { ttl: string } } }).message.android.ttl);
      response.end(JSON.stringify({ code: '80000000', msg: 'Success', requestId: 'r' }));
    });
  });
  await new Promise<void>((resolve) => http1.listen(0, '127.0.0.1', resolve));
});

afterEach(async () => {
  await sender.close();
  await http2.close();
  http1.closeAllConnections();
  await new Promise((resolve) => http1.close(resolve));
  for (const proxy of proxies) await proxy.close();
});

const originOf = (server: { address(): unknown }): string =>
  `http://127.0.0.1:${(server.address() as AddressInfo).port}`;

/** A way to a server on which connections are opened, and nothing is heard before the gate is open. */
async function slowWayTo(port: number): Promise<string> {
  const sockets = new Set<Socket>();
  const proxy = createServer((socket) => {
    sockets.add(socket.on('error', () => undefined));
    connectGate.pass(() => {
      const onward = connect(port, '127.0.0.1').on('error', () => undefined);
      sockets.add(onward);
      socket.pipe(onward).pipe(socket);
    });
  });
  await new Promise<void>((resolve) => proxy.listen(0, '127.0.0.1', resolve));
  proxies.push({
    close: () =>
      new Promise((resolve) => {
        proxy.close(() => resolve());
        for (const socket of sockets) socket.destroy();
      }),
  });
  return originOf(proxy);
}

function start(vendor: PushVendor, origin: string): void {
  const token = originOf(http1);
  const stored = {
    fcm: () =>
      CREDENTIAL_KINDS.fcm.stored({
        serviceAccount: { ...SERVICE_ACCOUNT, token_uri: `${token}/token` },
        endpoint: origin,
      }),
    apns: () =>
      CREDENTIAL_KINDS.apns.stored({
        keyId: 'KEY1234567',
        teamId: 'TEAM123456',
        privateKey: APNS_KEY,
        topic: 'com.x',
        environment: 'sandbox',
        endpoint: origin,
      }),
    webpush: () => CREDENTIAL_KINDS.webpush.stored({ subject: 'mailto:ops@example.com' }),
    hms: () =>
      CREDENTIAL_KINDS.hms.stored({ appId: '100', clientSecret: 'right', endpoint: origin, tokenEndpoint: token }),
  };
  const { settings, secrets } = stored[vendor]();
  const options = { clock, allowPrivateEndpoints: true, allowPrivatePushServices: true, maxSessions: 1 };
  sender = createSender(vendor, { ...settings, ...secrets }, options);
}

function send(vendor: PushVendor, origin: string, lifeMs = 4_000): Promise<SendOutcome> {
  const token = vendor === 'webpush' ? JSON.stringify({ endpoint: `${origin}/p`, keys: KEYS }) : 'ab'.repeat(32);
  const expiresAt = new Date(clock.now().getTime() + lifeMs);
  const request = { deliveryId: '0199f000-0000-7000-8000-000000000001', token, payload: PAYLOADS[vendor], expiresAt };
  return sendOnce(sender, { ...request, lastCallAt: expiresAt.getTime() });
}

/** Returns the expiry that a vendor gets for a message that expires a second from now. */
function lastSecond(vendor: PushVendor): string {
  if (vendor === 'apns') return String(Math.floor(clock.now().getTime() / 1_000) + 1);
  return vendor === 'webpush' ? '1' : '1s';
}

describe.each<PushVendor>(['fcm', 'apns', 'webpush', 'hms'])('%s: a connection that takes its time', (vendor) => {
  let origin: string;

  beforeEach(async () => {
    origin = await slowWayTo(vendor === 'hms' ? (http1.address() as AddressInfo).port : http2.port);
    start(vendor, origin);
  });

  it('is waited with, and the vendor is told what remains then', async () => {
    const outcome = send(vendor, origin);
    await connectGate.untilWaiting();
    clock.advance(3_000);
    connectGate.open();
    expect((await outcome).kind).toBe('accepted');
    // HTTP/1.1 has no greeting: a request is on the wire as soon as the connection is.
    expect(told).toEqual([vendor === 'hms' ? '4s' : lastSecond(vendor)]);
  });

  // What is written at once was in time.
  if (vendor === 'hms') return;

  it('costs the message its life: the vendor is not called', async () => {
    const outcome = send(vendor, origin);
    await connectGate.untilWaiting();
    clock.advance(4_000);
    connectGate.open();
    expect(await outcome).toMatchObject({ kind: 'expired', code: 'EXPIRED' });
    expect(told).toEqual([]);
  });
});

describe.each<PushVendor>(['fcm', 'hms'])('%s: an access token that takes its time', (vendor) => {
  beforeEach(() => {
    tokenGate.isOpen = false;
    start(vendor, vendor === 'hms' ? originOf(http1) : http2.origin);
  });

  it('is waited for, and the vendor is told what remains then', async () => {
    const outcome = send(vendor, '');
    await tokenGate.untilWaiting();
    clock.advance(3_000);
    tokenGate.open();
    expect((await outcome).kind).toBe('accepted');
    expect(told).toEqual(['1s']);
  });

  it('costs the message its life: the vendor is not called', async () => {
    const outcome = send(vendor, '');
    await tokenGate.untilWaiting();
    clock.advance(4_000);
    tokenGate.open();
    expect(await outcome).toMatchObject({ kind: 'expired' });
    expect(told).toEqual([]);
  });
});

describe.each(OVER_HTTP2)('%s: a connection that is full', (vendor) => {
  it('is waited for: what expires meanwhile is not sent, what does not says what remains', async () => {
    start(vendor, http2.origin);
    const held: SeenRequest[] = [];
    hold = (request) => held.push(request) === 1;
    const first = send(vendor, http2.origin);
    await untilTrue(() => held.length > 0);
    const [short, long] = [send(vendor, http2.origin, 3_000), send(vendor, http2.origin, 4_000)];
    clock.advance(3_000);
    held[0]?.answer(200, { name: 'm/0' });
    expect((await first).kind).toBe('accepted');
    expect(await short).toMatchObject({ kind: 'expired' });
    expect((await long).kind).toBe('accepted');
    expect(told).toEqual([lastSecond(vendor)]);
  });
});
