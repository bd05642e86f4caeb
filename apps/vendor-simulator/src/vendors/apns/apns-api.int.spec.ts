import { randomUUID } from 'node:crypto';
import type { OutgoingHttpHeaders } from 'node:http2';
import { clockShowing, type RawAnswer, RawHttp2Client, signJwt } from '@postrider/testing';
import { useSimulator } from '../../testing/use-simulator';

const TOKEN = '00fc13adff785122b4ad28809a3420982341241421348097878e577c991de8f0';
const PAYLOAD = { aps: { alert: { title: 'Hello', body: 'World' } } };

describe('APNs, as simulated', () => {
  const start = new Date('2026-11-21T10:00:00Z');
  let now = start;
  const iat = start.getTime() / 1_000;
  const simulator = useSimulator({ clock: clockShowing(() => now) });
  beforeEach(() => {
    now = start;
  });

  function bearer(claims: object = {}, header: object = {}, key?: string): string {
    const { keyId, teamId, privateKey } = simulator.credentials.apns;
    return `bearer ${signJwt({ iss: teamId, iat, ...claims }, key ?? privateKey, { kid: keyId, ...header })}`;
  }

  /**
   * One token for all requests: ES256 makes a new signature each time, and APNs accepts no second token within 20
   * minutes.
   */
  let usualBearer: string | undefined;

  function send(headers: OutgoingHttpHeaders = {}, body: unknown = PAYLOAD, token = TOKEN): Promise<RawAnswer> {
    const usual = {
      authorization: (usualBearer ??= bearer()),
      'apns-topic': simulator.credentials.apns.topic,
      'apns-push-type': 'alert',
    };
    const all = { ...usual, ...headers };
    const given = Object.entries(all).filter(([, value]) => value !== undefined);
    return simulator.client.post(`/3/device/${token}`, body, Object.fromEntries(given));
  }

  const reasonOf = (answer: RawAnswer): [number, string] => [answer.status, JSON.parse(answer.body).reason];

  it('accepts a push with an empty body, echoes its id and keeps it in the inbox', async () => {
    const id = randomUUID();
    const answer = await send({ 'apns-id': id, 'apns-expiration': '0', 'apns-collapse-id': 'c1' });
    expect([answer.status, answer.body, answer.headers['apns-id']]).toEqual([200, '', id]);
    expect(simulator.controls.messages()).toEqual([
      expect.objectContaining({
        vendor: 'apns',
        token: TOKEN,
        title: 'Hello',
        body: 'World',
        vendorMessageId: id,
        details: expect.objectContaining({ 'apns-expiration': '0', 'apns-collapse-id': 'c1' }),
      }),
    ]);
  });

  it('makes an id when none was given', async () => {
    expect((await send()).headers['apns-id']).toMatch(/^[0-9A-F-]{36}$/);
  });

  it.each([
    ['no provider token', () => ({ authorization: undefined }), 403, 'MissingProviderToken'],
    ['another scheme', () => ({ authorization: 'Basic eDp5' }), 403, 'MissingProviderToken'],
    ['a token that is none', () => ({ authorization: 'bearer abc' }), 403, 'InvalidProviderToken'],
    ['another key id', () => ({ authorization: bearer({}, { kid: 'AAAAAAAAAA' }) }), 403, 'InvalidProviderToken'],
    ['another team', () => ({ authorization: bearer({ iss: 'BBBBBBBBBB' }) }), 403, 'InvalidProviderToken'],
    [
      'a signature by another key',
      () => ({ authorization: bearer({}, { alg: 'ES256' }, simulator.credentials.fcm.serviceAccount.private_key) }),
      403,
      'InvalidProviderToken',
    ],
    [
      'a token older than an hour',
      () => ({ authorization: bearer({ iat: iat - 3_601 }) }),
      403,
      'ExpiredProviderToken',
    ],
    ['no topic', () => ({ 'apns-topic': undefined }), 400, 'MissingTopic'],
    ['a topic of somebody else', () => ({ 'apns-topic': 'com.other.app' }), 400, 'TopicDisallowed'],
    ['the topic of another push type', () => ({ 'apns-push-type': 'voip' }), 400, 'BadTopic'],
    ['a push type that is none', () => ({ 'apns-push-type': 'shout' }), 400, 'InvalidPushType'],
    ['a priority that is none', () => ({ 'apns-priority': '7' }), 400, 'BadPriority'],
    [
      'a background push of priority 10',
      () => ({ 'apns-push-type': 'background', 'apns-priority': '10' }),
      400,
      'BadPriority',
    ],
    ['a background push without priority', () => ({ 'apns-push-type': 'background' }), 400, 'BadPriority'],
    ['an expiration that is no time', () => ({ 'apns-expiration': 'soon' }), 400, 'BadExpirationDate'],
    ['a collapse id of 65 bytes', () => ({ 'apns-collapse-id': 'é'.repeat(32) + 'x' }), 400, 'BadCollapseId'],
    ['an id that is no UUID', () => ({ 'apns-id': 'one' }), 400, 'BadMessageId'],
  ])('refuses %s', async (_name, headers, status, reason) => {
    expect(reasonOf(await send(headers()))).toEqual([status, reason]);
    expect(simulator.controls.messages()).toEqual([]);
    expect(simulator.controls.stats().apns?.refused).toEqual({ [reason]: 1 });
  });

  it('takes a background push of priority 5', async () => {
    const answer = await send(
      { 'apns-push-type': 'background', 'apns-priority': '5' },
      { aps: { 'content-available': 1 } },
    );
    expect(answer.status).toBe(200);
  });

  it('measures the payload: 4096 bytes pass, 4097 do not, none is too few', async () => {
    const ofLength = (bytes: number): string => `{"aps":{},"x":"${'x'.repeat(bytes - 17)}"}`;
    expect((await send({}, ofLength(4_096))).status).toBe(200);
    expect(reasonOf(await send({}, ofLength(4_097)))).toEqual([413, 'PayloadTooLarge']);
    expect(reasonOf(await send({}, ''))).toEqual([400, 'PayloadEmpty']);
    expect(reasonOf(await send({}, 'not json'))).toEqual([400, 'PayloadEmpty']);
    expect(reasonOf(await send({}, '[{"aps":{}}]'))).toEqual([400, 'PayloadEmpty']);
  });

  it('looks at the token and the address', async () => {
    expect(reasonOf(await send({}, PAYLOAD, 'not-hex'))).toEqual([400, 'BadDeviceToken']);
    expect(reasonOf(await send({}, PAYLOAD, ''))).toEqual([400, 'MissingDeviceToken']);
    expect(reasonOf(await simulator.client.post('/3/devices', PAYLOAD))).toEqual([404, 'BadPath']);
    expect(reasonOf(await simulator.client.request({ ':method': 'GET', ':path': `/3/device/${TOKEN}` }))).toEqual([
      405,
      'MethodNotAllowed',
    ]);
  });

  it('calls dead tokens unregistered since a minute ago, by name or by their first digits', async () => {
    for (const token of ['dead-1', `deaddead${TOKEN.slice(8)}`]) {
      const answer = await send({}, PAYLOAD, token);
      expect([answer.status, JSON.parse(answer.body)]).toEqual([
        410,
        { reason: 'Unregistered', timestamp: now.getTime() - 60_000 },
      ]);
    }
    expect(reasonOf(await send({}, PAYLOAD, 'bad-1'))).toEqual([400, 'BadDeviceToken']);
  });

  it.each([
    [429, 'TooManyRequests'],
    [500, 'InternalServerError'],
    [503, 'ServiceUnavailable'],
    [400, 'DeviceTokenNotForTopic'],
  ])('answers %s %s on demand', async (http, code) => {
    simulator.controls.setFaults([{ vendor: 'apns', fault: { kind: 'status', http, code, retryAfter: 3 } }]);
    const answer = await send();
    expect([...reasonOf(answer), answer.headers['retry-after']]).toEqual([http, code, '3']);
  });

  it('wants 20 minutes between two provider tokens on one connection, and does not mind on another', async () => {
    const [first, second] = [
      { authorization: bearer({ iat: iat - 1_300 }) },
      { authorization: bearer({ iat: iat - 50 }) },
    ];
    expect((await send(first)).status).toBe(200);
    now = new Date(start.getTime() + 1_199_000);
    expect(reasonOf(await send(second))).toEqual([429, 'TooManyProviderTokenUpdates']);
    expect((await send(first)).status).toBe(200);
    const other = new RawHttp2Client(simulator.running.origin, simulator.running.ca);
    const usual = { 'apns-topic': simulator.credentials.apns.topic, 'apns-push-type': 'alert' };
    expect((await other.post(`/3/device/${TOKEN}`, PAYLOAD, { ...usual, ...second })).status).toBe(200);
    other.close();
    now = new Date(start.getTime() + 1_200_000);
    expect((await send(second)).status).toBe(200);
  });

  it('is not to be had over HTTP/1.1', async () => {
    const { request } = await import('node:https');
    const failed = new Promise<Error>((resolve, reject) => {
      const call = request(
        `${simulator.running.origin}/3/device/${TOKEN}`,
        { method: 'POST', ca: simulator.running.ca },
        () => reject(new Error('it answered')),
      );
      call.on('error', resolve).end('{}');
    });
    expect(((await failed) as NodeJS.ErrnoException).code).toBe('ECONNRESET');
  });
});
