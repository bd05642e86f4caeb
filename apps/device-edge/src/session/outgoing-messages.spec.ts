import { generate } from 'mqtt-packet';
import { MQTT_5, OWN_TOPIC, TestSession } from '../testing/test-session';

const PUBLISH = {
  cmd: 'publish',
  topic: OWN_TOPIC,
  dup: false,
  retain: false,
  properties: { messageExpiryInterval: 60 },
} as const;

describe('publishing to a device', () => {
  it('keeps the order of acceptance, with at most a window of messages in flight (5 §4.9)', async () => {
    const test = await TestSession.subscribed();
    for (const n of [5, 3, 1, 2, 4]) test.offer(test.delivery(n));
    expect(test.publishedIds).toEqual(['message-000005', 'message-000003', 'message-000001']);
    await test.send({ cmd: 'puback', messageId: 1 });
    await test.send({ cmd: 'puback', messageId: 2 });
    expect(test.publishedIds.slice(3)).toEqual(['message-000002', 'message-000004']);
    expect(test.said).toEqual(expect.arrayContaining(['acknowledged message-000005', 'acknowledged message-000003']));
  });

  it('publishes nothing while other processes may consider the edge dead', async () => {
    const test = await TestSession.subscribed();
    test.lease.isHeld = false;
    test.offer(test.delivery(1));
    expect(test.publishedIds).toEqual([]);
    test.lease.isHeld = true;
    test.session.flush();
    expect(test.publishedIds).toEqual(['message-000001']);
  });

  it('keeps to the receive maximum of the client (5 §3.3.4-9)', async () => {
    const test = await TestSession.subscribed({ ...MQTT_5, properties: { receiveMaximum: 1 } });
    test.offer(test.delivery(1));
    test.offer(test.delivery(2));
    expect(test.publishedIds).toHaveLength(1);
  });

  it('publishes a delivery once, however often the database offers it, until its outcome is recorded', async () => {
    const test = await TestSession.subscribed();
    const delivery = test.delivery(1);
    test.offer(delivery);
    test.offer(delivery);
    await test.send({ cmd: 'puback', messageId: 1 });
    test.offer(delivery);
    expect(test.publishedIds).toHaveLength(1);
    expect(test.session.wants(delivery.message.id)).toBe(false);
    test.session.outbox.forget(delivery.message.id);
    expect(test.session.wants(delivery.message.id)).toBe(true);
  });

  it('repeats a message under its own identifier and with DUP only when a session is resumed (3.1.1 §4.4.0-1, §3.3.1-1)', async () => {
    const first = await TestSession.subscribed({ clean: false });
    for (let n = 1; n <= 3; n++) first.offer(first.delivery(n));
    await first.send({ cmd: 'puback', messageId: 1 });
    first.session.gone();
    const inFlight = first.ends[0]?.left?.inFlight ?? null;
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
    second.session.gone();
    expect(second.ends[0]?.left?.inFlight).toEqual({ 'message-000002': 2, 'message-000003': 3, 'message-000004': 1 });

    const clean = new TestSession();
    clean.admission = second.admission;
    await clean.connect({ clean: true });
    await clean.send({ cmd: 'subscribe', messageId: 1, subscriptions: [{ topic: OWN_TOPIC, qos: 1 }] });
    clean.offer(clean.delivery(2));
    expect(clean.lastWritten).toMatchObject({ messageId: 1, dup: false });
    clean.session.gone();
    expect(clean.ends[0]?.left?.inFlight).toBeNull();
  });

  it('counts a message as delivered when it is acknowledged on a connection that the next one has just replaced', async () => {
    const test = await TestSession.subscribed();
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

  it('does not count an acknowledgement of the former owner of the device', async () => {
    const test = await TestSession.subscribed();
    test.offer(test.delivery(1));
    test.session.close('not_owner');
    test.said.length = 0;
    await test.send({ cmd: 'puback', messageId: 1 });
    expect(test.said).toEqual([]);
  });

  it('never sets DUP with QoS 0 (3.1.1 §3.3.1-2)', async () => {
    const test = await TestSession.subscribed();
    test.session.outbox.resume({ 'message-000002': 7 });
    test.offer(test.delivery(2, { isLive: true }));
    expect(test.lastWritten).toMatchObject({ dup: false, qos: 0 });
    expect(test.said).toContain('published message-000002');
  });

  it('writes several waiting messages in one piece', async () => {
    const test = await TestSession.subscribed();
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
    expect(test.publishedIds).toHaveLength(3);
    expect(pieces).toBe(1);
  });

  it('leaves out a message that was cancelled while it waited in the session', async () => {
    const test = await TestSession.subscribed({}, { window: 1 });
    for (let n = 1; n <= 3; n++) test.offer(test.delivery(n));
    test.session.outbox.drop(new Set(['message-000002']));
    await test.send({ cmd: 'puback', messageId: 1 });
    expect(test.publishedIds).toEqual(['message-000001', 'message-000003']);
    expect(test.session.wants('message-000002')).toBe(true);
  });

  it('leaves out what has expired meanwhile, and what was meant for a former owner', async () => {
    const test = await TestSession.subscribed();
    test.offer(test.delivery(1, { lastCallMs: test.nowMs }));
    if (test.session.identity) Object.assign(test.session.identity, { userSinceMs: test.nowMs, hasChangedHands: true });
    test.offer(test.delivery(2, { startsAtMs: test.nowMs - 1, isToNamedUsers: false }));
    expect(test.publishedIds).toEqual([]);
    expect(test.session.wants('message-000001')).toBe(true);
  });

  it('publishes what was accepted before the only owner took the device, by a clock that was put back meanwhile', async () => {
    const test = await TestSession.subscribed();
    if (test.session.identity) test.session.identity.userSinceMs = test.nowMs;
    test.offer(test.delivery(1, { startsAtMs: test.nowMs - 1, isToNamedUsers: false }));
    expect(test.publishedIds).toEqual(['message-000001']);
  });

  it('leaves out a message for now or never that was accepted before the device connected, however shortly before', async () => {
    const test = await TestSession.subscribed();
    const openedMs = test.nowMs;
    const nowOrNever = (atMs: number): object => ({ startsAtMs: atMs, expiresAtMs: atMs, lastCallMs: atMs + 10_000 });
    test.offer(test.delivery(1, nowOrNever(openedMs)));
    test.offer(test.delivery(2, nowOrNever(openedMs - 1)));
    test.offer(test.delivery(3, { startsAtMs: openedMs - 1 }));
    expect(test.publishedIds).toEqual(['message-000001', 'message-000003']);
  });

  it('does not repeat a message that the device refuses (5 §4.3.2)', async () => {
    const test = await TestSession.subscribed(MQTT_5);
    test.offer(test.delivery(1));
    await test.send({ cmd: 'puback', messageId: 1, reasonCode: 0x83 }, 5);
    expect(test.said).toContain('failed message-000001 refused_by_device');
  });

  it('publishes what just fits into the largest packet of the client, and nothing larger (5 §3.1.2-24 and -25)', async () => {
    const message = new TestSession().delivery(1);
    const bytes = generate({ ...PUBLISH, qos: 1, messageId: 1, payload: message.payload }, MQTT_5).length;
    const offered = async (maximumPacketSize: number): Promise<TestSession> => {
      const test = await TestSession.subscribed({ ...MQTT_5, properties: { maximumPacketSize } });
      test.offer(test.delivery(1));
      return test;
    };
    expect((await offered(bytes)).publishedIds).toEqual(['message-000001']);
    const tooLarge = await offered(bytes - 1);
    expect(tooLarge.publishedIds).toEqual([]);
    expect(tooLarge.said).toContain('failed message-000001 too_large');
  });

  it('publishes no event that is larger than the largest packet of the client (5 §3.1.2-24)', async () => {
    const payload = Buffer.from('{"id":"event"}');
    const bytes = generate({ ...PUBLISH, qos: 0, payload }, MQTT_5).length;
    const test = await TestSession.subscribed({ ...MQTT_5, properties: { maximumPacketSize: bytes } });
    test.session.publishEvent(PUBLISH.topic, payload);
    test.session.publishEvent(PUBLISH.topic, Buffer.from('{"id":"event" }'));
    expect(test.publishedIds).toEqual(['event']);
  });
});
