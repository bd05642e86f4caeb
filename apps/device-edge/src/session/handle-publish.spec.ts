import { Secret } from '@postrider/platform';
import { INSTALLATION, MQTT_5, TestSession } from '../testing/test-session';

describe('PUBLISH from a device', () => {
  const event = {
    cmd: 'publish',
    topic: `app/shop/track/buy/${INSTALLATION}`,
    payload: '{}',
    retain: false,
    dup: false,
  } as const;

  it('is acknowledged when it is done, of QoS 2 too (3.1.1 §4.3.3)', async () => {
    const test = await TestSession.connected();
    await test.send({ ...event, qos: 1, messageId: 4 });
    expect(test.lastWritten).toMatchObject({ cmd: 'puback', messageId: 4 });
    await test.send({ ...event, qos: 2, messageId: 5 });
    await test.send({ ...event, qos: 2, messageId: 5, dup: true });
    expect(test.written.slice(-2)).toMatchObject([{ cmd: 'pubrec' }, { cmd: 'pubrec' }]);
    expect(test.said.filter((text) => text === 'reported buy')).toHaveLength(2);
    await test.send({ cmd: 'pubrel', messageId: 5 });
    expect(test.lastWritten).toMatchObject({ cmd: 'pubcomp', messageId: 5 });
  });

  it('of QoS 2 that the former connection accepted is published only if it is another message (3.1.1 §3.3.1-1)', async () => {
    const first = await TestSession.connected();
    await first.send({ ...event, qos: 2, messageId: 5 });
    await first.send({ ...event, qos: 2, messageId: 6 });
    first.session.gone();
    const unreleased = first.ends[0]?.left?.unreleased ?? null;
    expect(unreleased).toEqual([5, 6]);

    const second = new TestSession();
    second.admission = { ...(second.admission as object), subscriptions: {}, unreleased } as never;
    await second.connect();
    expect(second.said).toContain('kept');
    await second.send({ ...event, qos: 2, messageId: 5, dup: true });
    expect(second.lastWritten).toMatchObject({ cmd: 'pubrec', messageId: 5 });
    expect(second.said).not.toContain('reported buy');
    // A client that lost its state begins anew: with the same identifiers, and without DUP.
    await second.send({ ...event, qos: 2, messageId: 6 });
    expect(second.said.filter((text) => text === 'reported buy')).toHaveLength(1);
    await second.send({ cmd: 'pubrel', messageId: 6 });
    second.session.gone();
    expect(second.ends[0]?.left?.unreleased).toEqual([5]);
  });

  it('of QoS 2 leaves nothing to the next connection if the session ends with it', async () => {
    const test = await TestSession.connected({ clean: true });
    await test.send({ ...event, qos: 2, messageId: 5 });
    test.session.gone();
    expect(test.ends[0]?.left?.unreleased).toBeNull();
  });

  it('of QoS 2 is not published if a hundred others wait for their PUBREL', async () => {
    const test = await TestSession.connected({}, { packetsPerSecond: 1_000 });
    for (let messageId = 1; messageId <= 100; messageId++) await test.send({ ...event, qos: 2, messageId });
    await test.send({ ...event, qos: 2, messageId: 100, dup: true });
    expect(test.written.filter(({ cmd }) => cmd === 'pubrec')).toHaveLength(101);
    await test.send({ ...event, qos: 2, messageId: 101 });
    expect(test.said.filter((text) => text === 'reported buy')).toHaveLength(100);
    expect(test.isEnded).toBe(true);
  });

  it.each([
    ['outside the table', 'app/shop/user/bob/default', 0x87],
    ['to be sent, without the right to send', 'app/shop/publish/bob/default', 0x87],
    ['an event of another device', 'app/shop/event/buy/another', 0x87],
    ['on $SYS', '$SYS/broker', 0x87],
  ])('%s ends the connection', async (_, topic, code) => {
    const test = await TestSession.connected(MQTT_5);
    await test.send({ ...event, topic, qos: 0 }, 5);
    expect(test.lastWritten).toMatchObject({ cmd: 'disconnect', reasonCode: code });
    expect(test.isEnded).toBe(true);
  });

  it('to `*` ends the connection, whatever the token may: the topic for everybody is `public`', async () => {
    const test = new TestSession();
    if (test.admission.kind === 'admitted') test.admission.identity.sendAccessToken = new Secret('token');
    await test.connect(MQTT_5);
    await test.send({ ...event, topic: 'app/shop/publish/public/default', qos: 1, messageId: 1 }, 5);
    expect(test.lastWritten).toMatchObject({ cmd: 'puback', reasonCode: 0 });
    await test.send({ ...event, topic: 'app/shop/publish/*/default', qos: 1, messageId: 2 }, 5);
    expect(test.lastWritten).toMatchObject({ cmd: 'disconnect', reasonCode: 0x87 });
  });

  it.each([
    ['QoS 2', { qos: 2 as const, messageId: 1 }, 0x9b],
    ['to be retained', { qos: 0 as const, retain: true }, 0x9a],
    ['by alias', { qos: 0 as const, properties: { topicAlias: 1 } }, 0x94],
  ])('%s is not offered to MQTT 5 (§3.2.2.3)', async (_, changes, code) => {
    const test = await TestSession.connected(MQTT_5);
    await test.send({ ...event, ...changes }, 5);
    expect(test.lastWritten).toMatchObject({ cmd: 'disconnect', reasonCode: code });
  });

  it.each([
    ['asks for no problem information (5 §3.1.2-29)', { requestProblemInformation: false }],
    ['accepts no packet with the reason in it (5 §3.4.2-2)', { maximumPacketSize: 20 }],
  ])('that is not valid is answered with the reason code alone if the client %s', async (_, properties) => {
    const test = await TestSession.connected({ ...MQTT_5, properties });
    test.verdict = 'invalid';
    test.reason = 'eventData[0].eventName must be text';
    await test.send({ ...event, qos: 1, messageId: 2 }, 5);
    expect(test.lastWritten).toMatchObject({ cmd: 'puback', reasonCode: 0x99 });
    expect(test.lastWritten).not.toHaveProperty('properties.reasonString');
  });

  it('that is not valid is answered with the reason (5 §3.4.2.1), and cannot be otherwise before 5', async () => {
    const five = await TestSession.connected(MQTT_5);
    five.verdict = 'invalid';
    await five.send({ ...event, qos: 1, messageId: 2 }, 5);
    expect(five.lastWritten).toMatchObject({ cmd: 'puback', reasonCode: 0x99, properties: { reasonString: 'bad' } });
    const four = await TestSession.connected();
    four.verdict = 'invalid';
    await four.send({ ...event, qos: 1, messageId: 2 });
    expect(four.lastWritten).toMatchObject({ cmd: 'puback', messageId: 2 });
  });

  it('that cannot be taken now is not acknowledged: the device sends it again', async () => {
    const test = await TestSession.connected();
    test.verdict = 'later';
    await test.send({ ...event, qos: 1, messageId: 2 });
    expect(test.written.map(({ cmd }) => cmd)).not.toContain('puback');
    expect(test.isEnded).toBe(true);
  });
});
