import { Secret } from '@postrider/platform';
import { generate, type Packet } from 'mqtt-packet';
import { CLIENT_ID, INSTALLATION, OTHER_INSTALLATION, OWN_TOPIC, settled, TestSession } from '../testing/test-session';

const connected = async (packet: Parameters<TestSession['connect']>[0] = {}, limits = {}): Promise<TestSession> => {
  const test = new TestSession(limits);
  await test.connect(packet);
  return test;
};
const subscribed = async (packet: Parameters<TestSession['connect']>[0] = {}, limits = {}): Promise<TestSession> => {
  const test = await connected(packet, limits);
  const version = packet.protocolVersion ?? 4;
  await test.send({ cmd: 'subscribe', messageId: 1, subscriptions: [{ topic: OWN_TOPIC, qos: 1 }] }, version);
  test.written.length = 0;
  return test;
};
const published = (test: TestSession): unknown[] =>
  test.written.flatMap((packet) =>
    packet.cmd === 'publish' ? [(JSON.parse(String(packet.payload)) as { id: string }).id] : [],
  );
const last = (test: TestSession): Packet | undefined => test.written.at(-1);
const V5 = { protocolVersion: 5 as const };

describe('CONNECT', () => {
  it('must come first (3.1.1 §3.1.0-1), and within its time', async () => {
    const other = new TestSession();
    await other.send({ cmd: 'pingreq' });
    expect(other.isEnded).toBe(true);
    const silent = new TestSession();
    silent.session.tick(silent.nowMs + 10_001);
    expect(silent.isEnded).toBe(true);
    const slow = new TestSession();
    for (let byte = 0; byte < 3; byte++) {
      await slow.receive(Buffer.from([0x10, 0x40, 0x00].slice(byte, byte + 1)));
      slow.nowMs += 5_000;
      slow.session.tick(slow.nowMs);
    }
    expect(slow.isEnded).toBe(true);
  });

  it('must not come twice (3.1.1 §3.1.0-2)', async () => {
    const test = await connected();
    await test.connect();
    expect(test.isEnded).toBe(true);
    expect(test.ends).toHaveLength(1);
  });

  it('of a protocol that is not spoken is answered with 1 (3.1.1 §3.1.2-2)', async () => {
    const test = new TestSession();
    await test.connect({ protocolVersion: 4 });
    const strange = new TestSession();
    await strange.connect();
    const bytes = generate({
      cmd: 'connect',
      protocolId: 'MQTT',
      protocolVersion: 4,
      clientId: CLIENT_ID,
      clean: true,
    });
    bytes[bytes.indexOf('MQTT') + 4] = 9;
    const refused = new TestSession();
    const answers: Buffer[] = [];
    Object.assign(refused.session, {
      transport: { ...refused.session['transport'], write: (one: Buffer) => answers.push(one), end: () => undefined },
    });
    await refused.receive(bytes);
    expect(Buffer.concat(answers).toString('hex')).toBe('20020001');
  });

  it('says what the server does (5 §3.2.2.3), and that nothing is retained', async () => {
    const test = await connected({ ...V5, properties: { sessionExpiryInterval: 60 } });
    expect(test.written[0]).toMatchObject({
      cmd: 'connack',
      reasonCode: 0,
      sessionPresent: false,
      properties: { retainAvailable: false, maximumPacketSize: 10_000, sharedSubscriptionAvailable: false },
    });
  });

  it.each([['receiveMaximum'], ['maximumPacketSize']])('with a %s of zero is none (5 §3.1.2.11)', async (name) => {
    const test = await connected({ ...V5, properties: { [name]: 0 } });
    expect(test.said).not.toContain('opened');
    expect(test.isEnded).toBe(true);
  });

  it('finds a session where there is one, unless it asks for a clean start (3.1.1 §3.2.2-1 and -2)', async () => {
    const kept = new TestSession();
    if (kept.admission.kind === 'admitted') kept.admission.subscriptions = { [OWN_TOPIC]: 1 };
    await kept.connect({ clean: false });
    expect(kept.written[0]).toMatchObject({ sessionPresent: true });
    expect([...kept.session.subscriptions]).toEqual([[OWN_TOPIC, 1]]);
    const clean = new TestSession();
    clean.admission = kept.admission;
    await clean.connect({ clean: true });
    expect(clean.written[0]).toMatchObject({ sessionPresent: false });
    expect(clean.session.subscriptions.size).toBe(0);
    expect(clean.said).toContain('kept');
  });

  it('with a will on a topic outside the table is refused; one on an event is reported when the connection breaks', async () => {
    const refused = await connected({
      will: { topic: 'app/other/event/x/y', payload: Buffer.from('{}'), qos: 0, retain: false },
    });
    expect(refused.written[0]).toMatchObject({ cmd: 'connack', returnCode: 5 });
    const will = {
      topic: `app/shop/event/gone/${INSTALLATION}`,
      payload: Buffer.from('{}'),
      qos: 0 as const,
      retain: false,
    };
    const broken = await connected({ will });
    broken.session.gone('closed');
    expect(broken.said).toContain('reported gone');
    const polite = await connected({ will });
    await polite.send({ cmd: 'disconnect' });
    expect(polite.said).not.toContain('reported gone');
  });

  it.each([
    [{ qos: 2 as const }, 0x9b],
    [{ retain: true }, 0x9a],
  ])(
    'with a will that is %j is refused in MQTT 5 (5 §3.2.2-12 and -13), and taken before',
    async (asked, reasonCode) => {
      const topic = `app/shop/event/gone/${INSTALLATION}`;
      const will = { topic, payload: Buffer.from('{}'), qos: 0 as const, retain: false, ...asked };
      const refused = await connected({ ...V5, will });
      expect(refused.written).toMatchObject([{ cmd: 'connack', reasonCode }]);
      expect(refused.isEnded).toBe(true);
      expect(refused.said).not.toContain('reported gone');
      const older = await connected({ will });
      expect(older.written[0]).toMatchObject({ cmd: 'connack', returnCode: 0 });
    },
  );

  it('of a device that leaves while it is let in leaves no one present', async () => {
    const test = new TestSession();
    const connecting = test.connect();
    test.session.gone('closed');
    await connecting;
    expect(test.ends).toHaveLength(1);
    expect(test.said).not.toContain('opened');
  });
});

describe('keep-alive', () => {
  it('ends a connection that is silent for one and a half of it, and not before (3.1.1 §3.1.2-24)', async () => {
    const test = await connected({ ...V5, keepalive: 10 });
    test.session.tick(test.nowMs + 15_000);
    expect(test.isEnded).toBe(false);
    test.session.tick(test.nowMs + 15_001);
    expect(test.isEnded).toBe(true);
    expect(last(test)).toMatchObject({ cmd: 'disconnect', reasonCode: 0x8d });
  });

  it('is held up by whatever comes, and off where it is zero', async () => {
    const test = await connected({ keepalive: 10 });
    test.nowMs += 14_000;
    await test.send({ cmd: 'pingreq' });
    expect(last(test)).toMatchObject({ cmd: 'pingresp' });
    test.session.tick(test.nowMs + 14_000);
    expect(test.isEnded).toBe(false);
    const off = await connected({ keepalive: 0 });
    off.session.tick(off.nowMs + 1e9);
    expect(off.isEnded).toBe(false);
  });
});

describe('what goes out', () => {
  it('goes in the order of acceptance, at most a window of it at a time (5 §4.9)', async () => {
    const test = await subscribed();
    for (const n of [5, 3, 1, 2, 4]) test.offer(test.delivery(n));
    expect(published(test)).toEqual(['message-000005', 'message-000003', 'message-000001']);
    await test.send({ cmd: 'puback', messageId: 1 });
    await test.send({ cmd: 'puback', messageId: 2 });
    expect(published(test).slice(3)).toEqual(['message-000002', 'message-000004']);
    expect(test.said).toEqual(expect.arrayContaining(['acknowledged message-000005', 'acknowledged message-000003']));
  });

  it('keeps to the receive maximum of the client (5 §3.3.4-9)', async () => {
    const test = await subscribed({ ...V5, properties: { receiveMaximum: 1 } });
    test.offer(test.delivery(1));
    test.offer(test.delivery(2));
    expect(published(test)).toHaveLength(1);
  });

  it('goes once, however often the ledger offers it, until the ledger knows', async () => {
    const test = await subscribed();
    const delivery = test.delivery(1);
    test.offer(delivery);
    test.offer(delivery);
    await test.send({ cmd: 'puback', messageId: 1 });
    test.offer(delivery);
    expect(published(test)).toHaveLength(1);
    expect(test.session.wants(delivery.message.id)).toBe(false);
    test.session.outbox.forget(delivery.message.id);
    expect(test.session.wants(delivery.message.id)).toBe(true);
  });

  it('is sent again under its own identifier when a session goes on, and only then as a repetition (3.1.1 §4.4.0-1, §3.3.1-1)', async () => {
    const first = await subscribed({ clean: false });
    for (let n = 1; n <= 3; n++) first.offer(first.delivery(n));
    await first.send({ cmd: 'puback', messageId: 1 });
    first.session.gone('closed');
    const { inFlight } = first.ends[0]!;
    expect(inFlight).toEqual({ 'message-000002': 2, 'message-000003': 3 });

    const second = new TestSession();
    second.admission = { ...(second.admission as object), subscriptions: { [OWN_TOPIC]: 1 }, inFlight } as never;
    await second.connect({ clean: false });
    second.written.length = 0;
    for (const n of [2, 4, 3]) second.session.offer(second.delivery(n));
    second.session.flush();
    expect(second.written).toMatchObject([
      { messageId: 2, dup: true },
      { messageId: 3, dup: true },
      { messageId: 1, dup: false },
    ]);
    second.session.gone('closed');
    expect(second.ends[0]?.inFlight).toEqual({ 'message-000002': 2, 'message-000003': 3, 'message-000004': 1 });

    const clean = new TestSession();
    clean.admission = second.admission;
    await clean.connect({ clean: true });
    await clean.send({ cmd: 'subscribe', messageId: 1, subscriptions: [{ topic: OWN_TOPIC, qos: 1 }] });
    clean.offer(clean.delivery(2));
    expect(last(clean)).toMatchObject({ messageId: 1, dup: false });
    clean.session.gone('closed');
    expect(clean.ends[0]?.inFlight).toBeNull();
  });

  it('counts as delivered when it is acknowledged on a connection that the next one has just replaced', async () => {
    const test = await subscribed();
    test.offer(test.delivery(1));
    test.offer(test.delivery(2));
    const [first, second] = test.written.flatMap((packet) => (packet.cmd === 'publish' ? [packet.messageId] : []));
    test.session.close('taken_over');
    test.said.length = 0;
    await test.send({ cmd: 'unsubscribe', messageId: 9, unsubscriptions: [OWN_TOPIC] });
    await test.send({ cmd: 'puback', messageId: first });
    expect(test.said).toEqual(['acknowledged message-000001']);
    await test.receive(Buffer.from([0xff, 0xff, 0xff, 0xff, 0xff]));
    await test.send({ cmd: 'puback', messageId: second });
    expect(test.said).toEqual(['acknowledged message-000001']);
  });

  it('does not count for the former owner of the device', async () => {
    const test = await subscribed();
    test.offer(test.delivery(1));
    test.session.close('not_owner');
    test.said.length = 0;
    await test.send({ cmd: 'puback', messageId: 1 });
    expect(test.said).toEqual([]);
  });

  it('is never a repetition with QoS 0 (3.1.1 §3.3.1-2)', async () => {
    const test = await subscribed();
    test.session.outbox.resume({ 'message-000002': 7 });
    test.offer(test.delivery(2, { isLive: true }));
    expect(last(test)).toMatchObject({ dup: false, qos: 0 });
    expect(test.said).toContain('published message-000002');
  });

  it('leaves in one piece where several messages wait', async () => {
    const test = await subscribed();
    let pieces = 0;
    const port = test.session['transport'];
    const write = port.write.bind(port);
    Object.assign(port, {
      write: (bytes: Buffer) => {
        pieces++;
        write(bytes);
      },
    });
    for (let n = 1; n <= 3; n++) test.session.offer(test.delivery(n));
    test.session.flush();
    expect(published(test)).toHaveLength(3);
    expect(pieces).toBe(1);
  });

  it('is not what was cancelled while it waited here', async () => {
    const test = await subscribed({}, { window: 1 });
    for (let n = 1; n <= 3; n++) test.offer(test.delivery(n));
    test.session.outbox.drop(new Set(['message-000002']));
    await test.send({ cmd: 'puback', messageId: 1 });
    expect(published(test)).toEqual(['message-000001', 'message-000003']);
    expect(test.session.wants('message-000002')).toBe(true);
  });

  it('is not what has expired meanwhile, nor what was meant for a former owner', async () => {
    const test = await subscribed();
    test.offer(test.delivery(1, { lastCallMs: test.nowMs }));
    if (test.session.identity) Object.assign(test.session.identity, { userSinceMs: test.nowMs, hasChangedHands: true });
    test.offer(test.delivery(2, { startsAtMs: test.nowMs - 1, isToNamedUsers: false }));
    expect(published(test)).toEqual([]);
    expect(test.session.wants('message-000001')).toBe(true);
  });

  it('is what was accepted before the only owner took the device, by a clock that was put back meanwhile', async () => {
    const test = await subscribed();
    if (test.session.identity) test.session.identity.userSinceMs = test.nowMs;
    test.offer(test.delivery(1, { startsAtMs: test.nowMs - 1, isToNamedUsers: false }));
    expect(published(test)).toEqual(['message-000001']);
  });

  it('is what the registration stands for when the client does not subscribe, until it does', async () => {
    const test = new TestSession();
    await test.connect();
    test.offer(test.delivery(1, { channel: 'public/sport' }));
    test.session.tick(test.session.now() + 1_000);
    expect(test.session.subscriptions.size).toBe(0);
    test.session.tick(test.session.now() + 2_000);
    test.offer(test.delivery(1, { channel: 'public/sport' }));
    test.offer(test.delivery(2));
    test.offer(test.delivery(3, { channel: 'private/alerts', isLive: true }));
    expect(test.written.filter(({ cmd }) => cmd === 'publish')).toMatchObject([
      { topic: 'app/shop/user/public/sport', qos: 1 },
      { topic: 'app/shop/user/ann/default', qos: 1 },
      { topic: 'app/shop/user/ann/alerts', qos: 0 },
    ]);
    const [topic = ''] = test.session.subscriptions.keys();
    await test.send({ cmd: 'subscribe', messageId: 9, subscriptions: [{ topic, qos: 1 }] } as never);
    expect([...test.session.subscriptions.keys()]).toEqual([topic]);
  });

  it('is what is meant for the device itself, although its client names a channel only', async () => {
    const test = new TestSession();
    await test.connect();
    const topic = 'app/shop/user/public/sport';
    await test.send({ cmd: 'subscribe', messageId: 9, subscriptions: [{ topic, qos: 1 }] } as never);
    test.session.tick(test.session.now() + 2_000);
    test.offer(test.delivery(1));
    test.offer(test.delivery(2, { channel: 'public/sport' }));
    expect(test.written.filter(({ cmd }) => cmd === 'publish')).toMatchObject([
      { topic: 'app/shop/user/ann/default', qos: 1 },
      { topic, qos: 1 },
    ]);
  });

  it('is not what its client has unsubscribed from', async () => {
    const test = new TestSession();
    await test.connect();
    const own = 'app/shop/user/ann/default';
    const topics = ['app/shop/user/public/sport', own];
    const subscriptions = topics.map((topic) => ({ topic, qos: 1 }));
    await test.send({ cmd: 'subscribe', messageId: 9, subscriptions } as never);
    await test.send({ cmd: 'unsubscribe', messageId: 10, unsubscriptions: [own] } as never);
    test.session.tick(test.session.now() + 2_000);
    test.offer(test.delivery(1));
    expect(published(test)).toEqual([]);
    expect([...test.session.subscriptions.keys()]).toEqual(['app/shop/user/public/sport']);
  });

  it('holds a bounded number, and asks for the rest when there is room', async () => {
    const test = await subscribed({}, { window: 1, capacity: 2 });
    for (let n = 1; n <= 6; n++) test.offer(test.delivery(n));
    expect(test.session.outbox.waiting).toBe(2);
    test.said.length = 0;
    for (let id = 1; id <= 2; id++) await test.send({ cmd: 'puback', messageId: id });
    expect(test.said).toContain('wants what waits');
  });

  it('waits while the device is slow to read, and a device that reads nothing is dropped', async () => {
    const test = await subscribed();
    test.bufferedBytes = 60_000;
    test.offer(test.delivery(1));
    expect(published(test)).toEqual([]);
    test.bufferedBytes = 0;
    test.session.flush();
    expect(published(test)).toHaveLength(1);
    test.bufferedBytes = 100_001;
    await test.send({ cmd: 'pingreq' });
    expect(test.isDestroyed).toBe(true);
    expect(test.ends[0]?.inFlight).toEqual({ 'message-000001': 1 });
  });

  it('is not what is for now or never and was accepted before the device came, however soon after', async () => {
    const test = await subscribed();
    const openedMs = test.nowMs;
    const nowOrNever = (atMs: number): object => ({ startsAtMs: atMs, expiresAtMs: atMs, lastCallMs: atMs + 10_000 });
    test.offer(test.delivery(1, nowOrNever(openedMs)));
    test.offer(test.delivery(2, nowOrNever(openedMs - 1)));
    test.offer(test.delivery(3, { startsAtMs: openedMs - 1 }));
    expect(published(test)).toEqual(['message-000001', 'message-000003']);
  });

  it('keeps no place for a device that has not read for half a minute', async () => {
    const test = await subscribed();
    const tickAfter = (ms: number, bufferedBytes: number): boolean => {
      test.nowMs += ms;
      test.bufferedBytes = bufferedBytes;
      test.session.tick(test.nowMs);
      return test.isDestroyed;
    };
    expect(tickAfter(1_000, 60_000)).toBe(false);
    expect(tickAfter(29_000, 60_000)).toBe(false);
    expect(tickAfter(1_000, 40_000)).toBe(false);
    expect(tickAfter(10_000, 60_000)).toBe(false);
    expect(tickAfter(30_000, 70_000)).toBe(false);
    expect(tickAfter(1_000, 70_000)).toBe(true);
  });

  it('goes out however large it is where nothing waits before it, and nobody is dropped for that', async () => {
    const test = await subscribed();
    const large = { ...test.delivery(1), payload: Buffer.from(JSON.stringify({ id: 'x'.repeat(150_000) })) };
    test.bufferedBytes = 1;
    test.offer(large);
    expect(published(test)).toEqual([]);
    test.bufferedBytes = 0;
    test.session.flush();
    expect(published(test)).toHaveLength(1);
    test.bufferedBytes = 150_100;
    await test.send({ cmd: 'pingreq' });
    expect(test.isDestroyed).toBe(false);
    test.bufferedBytes = 300_000;
    await test.send({ cmd: 'pingreq' });
    expect(test.isDestroyed).toBe(true);
  });

  it('is not repeated to a device that refuses it (5 §4.3.2)', async () => {
    const test = await subscribed(V5);
    test.offer(test.delivery(1));
    await test.send({ cmd: 'puback', messageId: 1, reasonCode: 0x83 }, 5);
    expect(test.said).toContain('failed message-000001 refused_by_device');
  });
});

describe('PUBLISH from a device', () => {
  const event = {
    cmd: 'publish',
    topic: `app/shop/track/buy/${INSTALLATION}`,
    payload: '{}',
    retain: false,
    dup: false,
  } as const;

  it('is acknowledged when it is done, of QoS 2 too (3.1.1 §4.3.3)', async () => {
    const test = await connected();
    await test.send({ ...event, qos: 1, messageId: 4 });
    expect(last(test)).toMatchObject({ cmd: 'puback', messageId: 4 });
    await test.send({ ...event, qos: 2, messageId: 5 });
    await test.send({ ...event, qos: 2, messageId: 5, dup: true });
    expect(test.written.slice(-2)).toMatchObject([{ cmd: 'pubrec' }, { cmd: 'pubrec' }]);
    expect(test.said.filter((text) => text === 'reported buy')).toHaveLength(2);
    await test.send({ cmd: 'pubrel', messageId: 5 });
    expect(last(test)).toMatchObject({ cmd: 'pubcomp', messageId: 5 });
  });

  it.each([
    ['outside the table', 'app/shop/user/bob/default', 0x87],
    ['to be sent, without the right to send', 'app/shop/publish/bob/default', 0x87],
    ['an event of another device', 'app/shop/event/buy/another', 0x87],
    ['on $SYS', '$SYS/broker', 0x87],
  ])('%s ends the connection', async (_, topic, code) => {
    const test = await connected(V5);
    await test.send({ ...event, topic, qos: 0 }, 5);
    expect(last(test)).toMatchObject({ cmd: 'disconnect', reasonCode: code });
    expect(test.isEnded).toBe(true);
  });

  it('to `*` ends the connection, whatever the token may: the topic for everybody is `public`', async () => {
    const test = new TestSession();
    if (test.admission.kind === 'admitted') test.admission.identity.sendAccessToken = new Secret('token');
    await test.connect(V5);
    await test.send({ ...event, topic: 'app/shop/publish/public/default', qos: 1, messageId: 1 }, 5);
    expect(last(test)).toMatchObject({ cmd: 'puback', reasonCode: 0 });
    await test.send({ ...event, topic: 'app/shop/publish/*/default', qos: 1, messageId: 2 }, 5);
    expect(last(test)).toMatchObject({ cmd: 'disconnect', reasonCode: 0x87 });
  });

  it.each([
    ['QoS 2', { qos: 2 as const, messageId: 1 }, 0x9b],
    ['to be retained', { qos: 0 as const, retain: true }, 0x9a],
    ['by alias', { qos: 0 as const, properties: { topicAlias: 1 } }, 0x94],
  ])('%s is not offered to MQTT 5 (§3.2.2.3)', async (_, changes, code) => {
    const test = await connected(V5);
    await test.send({ ...event, ...changes }, 5);
    expect(last(test)).toMatchObject({ cmd: 'disconnect', reasonCode: code });
  });

  it('that is not valid is answered with the reason (5 §3.4.2.1), and cannot be otherwise before 5', async () => {
    const five = await connected(V5);
    five.verdict = 'invalid';
    await five.send({ ...event, qos: 1, messageId: 2 }, 5);
    expect(last(five)).toMatchObject({ cmd: 'puback', reasonCode: 0x99, properties: { reasonString: 'bad' } });
    const four = await connected();
    four.verdict = 'invalid';
    await four.send({ ...event, qos: 1, messageId: 2 });
    expect(last(four)).toMatchObject({ cmd: 'puback', messageId: 2 });
  });

  it('that cannot be taken now is not acknowledged: the device sends it again', async () => {
    const test = await connected();
    test.verdict = 'later';
    await test.send({ ...event, qos: 1, messageId: 2 });
    expect(test.written.map(({ cmd }) => cmd)).not.toContain('puback');
    expect(test.isEnded).toBe(true);
  });
});

describe('SUBSCRIBE', () => {
  it('to the topic of another device of the user is refused, to a channel that is named like an installation not', async () => {
    const test = await connected(V5);
    const own = 'app/shop/user/ann';
    const topics = [`${own}/${OTHER_INSTALLATION}`, `${own}/aaaaaaaa-89ab-4def-8123-456789abcdef`, OWN_TOPIC];
    const subscriptions = topics.map((topic) => ({ topic, qos: 1 as const }));
    await test.send({ cmd: 'subscribe', messageId: 1, subscriptions }, 5);
    expect(last(test)).toMatchObject({ cmd: 'suback', granted: [0x87, 1, 1] });
    expect([...test.session.subscriptions.keys()]).toEqual(topics.slice(1));
  });

  it('is still answered when another connection replaces the one of a browser, which waits for it on an open socket', async () => {
    const test = await connected();
    const answered = test.send({ cmd: 'subscribe', messageId: 1, subscriptions: [{ topic: OWN_TOPIC, qos: 1 }] });
    test.session.close('taken_over');
    await answered;
    expect(last(test)).toMatchObject({ cmd: 'suback', messageId: 1, granted: [1] });
    expect(test).toMatchObject({ isLingering: true, isEnded: false });
    test.offer(test.delivery(1));
    expect(last(test)).toMatchObject({ cmd: 'suback' });
  });

  it('ends a replaced connection when another request came after it: nobody would answer that', async () => {
    const test = await connected();
    const subscribe = { cmd: 'subscribe', subscriptions: [{ topic: OWN_TOPIC, qos: 1 }] } as const;
    const packets = [1, 2].map((messageId) => generate({ ...subscribe, messageId } as unknown as Packet));
    const answered = test.receive(Buffer.concat(packets));
    test.session.close('taken_over');
    await answered;
    expect(last(test)).toMatchObject({ cmd: 'suback', messageId: 1 });
    expect(test.isEnded).toBe(true);
  });
});

describe('a flood', () => {
  it('ends the connection; acknowledgements of what was sent do not count', async () => {
    const test = await connected(V5, { packetsPerSecond: 10 });
    const pings = Buffer.concat(Array.from({ length: 60 }, () => Buffer.from([0xc0, 0])));
    await test.receive(pings);
    expect(last(test)).toMatchObject({ cmd: 'disconnect', reasonCode: 0x96 });
    const busy = await subscribed({}, { packetsPerSecond: 10, capacity: 1_000 });
    for (let n = 0; n < 200; n++) {
      busy.offer(busy.delivery(n));
      await busy.send({ cmd: 'puback', messageId: n + 1 });
    }
    expect(busy.isEnded).toBe(false);
  });

  it('of subscriptions is refused, the connection holds (5 §3.9.3)', async () => {
    const test = await connected(V5);
    const subscriptions = Array.from({ length: 7 }, (_, n) => ({
      topic: `app/shop/user/public/c${n}`,
      qos: 1 as const,
    }));
    await test.send({ cmd: 'subscribe', messageId: 1, subscriptions }, 5);
    expect(last(test)).toMatchObject({ cmd: 'suback', granted: [1, 1, 1, 1, 1, 0x97, 0x97] });
  });

  it('of bytes in one packet ends the connection before they are held', async () => {
    const test = await connected(V5);
    await test.receive(Buffer.from([0x30, 0xff, 0xff, 0xff, 0x7f]));
    expect(last(test)).toMatchObject({ cmd: 'disconnect', reasonCode: 0x95 });
  });

  it.each([
    [10_000, 'puback', 0],
    [10_001, 'disconnect', 0x95],
  ])('of bytes counts the whole packet (5 §3.2.2.3.6): after %i comes a %s', async (bytes, cmd, reasonCode) => {
    const test = await connected(V5);
    const publish = { cmd: 'publish', topic: `app/shop/event/e/${INSTALLATION}`, qos: 1, messageId: 1 } as const;
    const overhead = generate({ ...publish, payload: 'x'.repeat(9_000) } as Packet, V5).length - 9_000;
    const packet = generate({ ...publish, payload: 'x'.repeat(bytes - overhead) } as Packet, V5);
    expect(packet).toHaveLength(bytes);
    await test.receive(packet);
    expect(last(test)).toMatchObject({ cmd, reasonCode });
  });
});

describe('packets that are none', () => {
  it.each([
    ['reserved flags of SUBSCRIBE (3.1.1 §3.8.1-1)', '80070001000001' + '6101', 0x81],
    ['a SUBSCRIBE without a filter (3.1.1 §3.8.3-3)', '82020001', 0x81],
    ['a packet identifier of zero (3.1.1 §2.3.1-1)', '82070000000001' + '6101', 0x81],
    ['both QoS bits (3.1.1 §3.3.1-4)', '3600', 0x81],
    ['packet type 0 (5 §2.1.2)', '0000', 0x81],
    ['a server’s packet (3.1.1 §2.2.1)', 'd000', 0x82],
    ['a remaining length of five bytes (3.1.1 §2.2.3)', '30ffffffffff', 0x81],
    ['AUTH without a method (5 §4.12)', 'f000', 0x81],
  ])('end the connection: %s', async (_, hex, code) => {
    const test = await connected(V5);
    await test.receive(Buffer.from(hex, 'hex'));
    expect(test.isEnded).toBe(true);
    const answer = last(test);
    expect(answer?.cmd).toBe('disconnect');
    expect([code, 0x81, 0x82]).toContain((answer as { reasonCode: number }).reasonCode);
    await settled();
  });
});
