import { generate } from 'mqtt-packet';
import { CLIENT_ID, INSTALLATION, MQTT_5, OWN_TOPIC, settled, TestSession } from '../testing/test-session';

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
    const test = await TestSession.connected();
    await test.connect();
    expect(test.isEnded).toBe(true);
    expect(test.ends).toHaveLength(1);
  });

  it('of a protocol that is not spoken is answered with 1 (3.1.1 §3.1.2-2)', async () => {
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
    const test = await TestSession.connected({ ...MQTT_5, properties: { sessionExpiryInterval: 60 } });
    expect(test.written[0]).toMatchObject({
      cmd: 'connack',
      reasonCode: 0,
      sessionPresent: false,
      properties: { retainAvailable: false, maximumPacketSize: 10_000, sharedSubscriptionAvailable: false },
    });
  });

  it('with the data of an authentication, but no method, is none (5 §3.1.2.11.10)', async () => {
    const test = await TestSession.connected({ ...MQTT_5, properties: { authenticationData: Buffer.from('data') } });
    expect(test.said).not.toContain('opened');
    expect(test.isEnded).toBe(true);
  });

  it.each([['receiveMaximum'], ['maximumPacketSize']])('with a %s of zero is none (5 §3.1.2.11)', async (name) => {
    const test = await TestSession.connected({ ...MQTT_5, properties: { [name]: 0 } });
    expect(test.said).not.toContain('opened');
    expect(test.isEnded).toBe(true);
  });

  it.each([3, 4, 5] as const)(
    'with a will of QoS 3 is none (3.1.1 §3.1.2-14), in version %i',
    async (protocolVersion) => {
      const will = {
        topic: `app/shop/event/gone/${INSTALLATION}`,
        payload: Buffer.from('{}'),
        qos: 2 as const,
        retain: false,
      };
      const protocolId = protocolVersion === 3 ? 'MQIsdp' : 'MQTT';
      const connect = generate({ cmd: 'connect', protocolId, protocolVersion, clientId: CLIENT_ID, clean: true, will });
      const flags = connect.indexOf(protocolId) + protocolId.length + 1;
      connect[flags] = (connect[flags] as number) | 0x08;
      const test = new TestSession();
      await test.receive(connect);
      expect(test.said).toEqual([]);
      expect(test.isEnded).toBe(true);
    },
  );

  it.each([3, 4, 5] as const)(
    'with bytes behind its last field is none (3.1.1 §3.1.3), in version %i',
    async (protocolVersion) => {
      const protocolId = protocolVersion === 3 ? 'MQIsdp' : 'MQTT';
      const topic = `app/shop/event/gone/${INSTALLATION}`;
      const will = { topic, payload: Buffer.from('{}'), qos: 0 as const, retain: false };
      const minimal = { cmd: 'connect', protocolId, protocolVersion, clientId: CLIENT_ID, clean: true } as const;
      const named = { ...minimal, username: 'token' };
      for (const packet of [minimal, named, { ...named, password: Buffer.from('token') }, { ...minimal, will }]) {
        const connect = generate(packet);
        const body = connect.subarray((connect[1] as number) < 0x80 ? 2 : 3);
        const length = body.length + 1;
        const longer = Buffer.concat([Buffer.of(0x10, (length % 128) | 0x80, length >> 7), body, Buffer.of(0)]);
        const [whole, surplus] = [new TestSession(), new TestSession()];
        await whole.receive(connect);
        expect(whole.said).toContain('opened');
        await surplus.receive(longer);
        expect(surplus.said).toEqual([]);
        expect(surplus.isEnded).toBe(true);
      }
    },
  );

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

  it.each([
    ['is not UTF-8', 'ff'],
    ['has U+0000', '00'],
  ])('with a will on a topic that %s is none (3.1.1 §1.5.3)', async (_, hex) => {
    const will = {
      topic: `app/shop/event/#/${INSTALLATION}`,
      payload: Buffer.from('{}'),
      qos: 0 as const,
      retain: false,
    };
    const connect = generate({
      cmd: 'connect',
      protocolId: 'MQTT',
      protocolVersion: 4,
      clientId: CLIENT_ID,
      clean: true,
      will,
    });
    Buffer.from(hex, 'hex').copy(connect, connect.indexOf('#'));
    const test = new TestSession();
    await test.receive(connect);
    test.session.gone();
    expect(test.said).toEqual([]);
    expect(test.isEnded).toBe(true);
  });

  it('with a will on a topic outside the table is refused; one on an event is reported when the connection breaks', async () => {
    const refused = await TestSession.connected({
      will: { topic: 'app/other/event/x/y', payload: Buffer.from('{}'), qos: 0, retain: false },
    });
    expect(refused.written[0]).toMatchObject({ cmd: 'connack', returnCode: 5 });
    const will = {
      topic: `app/shop/event/gone/${INSTALLATION}`,
      payload: Buffer.from('{}'),
      qos: 0 as const,
      retain: false,
    };
    const broken = await TestSession.connected({ will });
    broken.session.gone();
    expect(broken.said).toContain('reported gone');
    const polite = await TestSession.connected({ will });
    await polite.send({ cmd: 'disconnect' });
    expect(polite.said).not.toContain('reported gone');
  });

  it.each([
    [0x00, 'is not'],
    [0x04, 'is'],
    [0x80, 'is'],
    [0x81, 'is'],
  ])(
    'with a will, and a DISCONNECT with reason %i later: the will %s published (5 §3.1.2.5)',
    async (reasonCode, is) => {
      const topic = `app/shop/event/gone/${INSTALLATION}`;
      const will = { topic, payload: Buffer.from('{}'), qos: 0 as const, retain: false };
      const test = await TestSession.connected({ ...MQTT_5, will });
      await test.send({ cmd: 'disconnect', reasonCode }, 5);
      expect(test.said.includes('reported gone')).toBe(is === 'is');
    },
  );

  it.each([
    [{ qos: 2 as const }, 0x9b],
    [{ retain: true }, 0x9a],
  ])(
    'with a will that is %j is refused in MQTT 5 (5 §3.2.2-12 and -13), and taken before',
    async (asked, reasonCode) => {
      const topic = `app/shop/event/gone/${INSTALLATION}`;
      const will = { topic, payload: Buffer.from('{}'), qos: 0 as const, retain: false, ...asked };
      const refused = await TestSession.connected({ ...MQTT_5, will });
      expect(refused.written).toMatchObject([{ cmd: 'connack', reasonCode }]);
      expect(refused.isEnded).toBe(true);
      expect(refused.said).not.toContain('reported gone');
      expect(refused.ends).toMatchObject([{ left: null }]);
      const older = await TestSession.connected({ will });
      expect(older.written[0]).toMatchObject({ cmd: 'connack', returnCode: 0 });
    },
  );

  it.each([
    [60, 5, 5_000],
    [60, 3_600, 60_000],
    [60, 0xffffffff, 60_000],
  ])(
    'with a will that waits %d s, in a session that outlives the connection by %d s, has it wait %d ms (5 §3.1.3.2.2)',
    async (willDelayInterval, sessionExpiryInterval, delayMs) => {
      const topic = `app/shop/event/gone/${INSTALLATION}`;
      const will = {
        topic,
        payload: Buffer.from('{}'),
        qos: 0 as const,
        retain: false,
        properties: { willDelayInterval },
      };
      const broken = await TestSession.connected({ ...MQTT_5, will, properties: { sessionExpiryInterval } });
      broken.session.gone();
      expect(broken.said).toContain(`will in ${delayMs} ms`);
      expect(broken.said).not.toContain('reported gone');
      await broken.wills[0]?.();
      expect(broken.said).toContain('reported gone');
    },
  );

  it('with a will that waits publishes it at once if the session ends with the connection (5 §3.1.3.2.2)', async () => {
    const topic = `app/shop/event/gone/${INSTALLATION}`;
    const properties = { willDelayInterval: 60 };
    const will = { topic, payload: Buffer.from('{}'), qos: 0 as const, retain: false, properties };
    const broken = await TestSession.connected({ ...MQTT_5, will });
    broken.session.gone();
    expect(broken.said).toContain('reported gone');
  });

  it('of a device that leaves while it is let in leaves no one present, and changes no stored session', async () => {
    const test = new TestSession();
    const connecting = test.connect();
    test.session.gone();
    await connecting;
    expect(test.ends).toEqual([{ cause: 'gone', left: null }]);
    expect(test.said).not.toContain('opened');
  });

  it.each([
    [3, { returnCode: 3 }],
    [4, { returnCode: 3 }],
    [5, { reasonCode: 0x88 }],
  ] as const)(
    'is told that the server is not available if its session cannot be stored, and its will is not published (version %i)',
    async (protocolVersion, code) => {
      const test = new TestSession();
      test.saving = Promise.reject(new Error('PostgreSQL is away'));
      const topic = `app/shop/event/gone/${INSTALLATION}`;
      const will = { topic, payload: Buffer.from('{}'), qos: 0 as const, retain: false };
      await test.connect({ protocolVersion, will });
      expect(test.written).toMatchObject([{ cmd: 'connack', ...code }]);
      expect(test.isEnded).toBe(true);
      expect(test.said).toEqual(['kept']);
      expect(test.ends).toMatchObject([{ left: null }]);
    },
  );

  it.each([
    ['admits', 'admitting', [{ cause: 'gone', left: null }]],
    [
      'stores the session of',
      'saving',
      [{ cause: 'unavailable', left: { inFlight: null, unreleased: null, sessionEndsInMs: null } }],
    ],
  ] as const)('is refused in time while PostgreSQL hangs as it %s the device', async (_, what, ends) => {
    const test = new TestSession();
    let answer: () => void = () => undefined;
    test[what] = new Promise((resolve) => (answer = resolve));
    await test.connect();
    test.session.tick(test.nowMs + 20_000);
    expect(test.written).toEqual([]);
    test.session.tick(test.nowMs + 20_001);
    expect(test.written).toMatchObject([{ cmd: 'connack', returnCode: 3 }]);
    expect(test.isEnded).toBe(true);
    answer();
    await settled();
    expect(test.written).toHaveLength(1);
    expect(test.said).not.toContain('opened');
    expect(test.ends).toEqual(ends);
  });

  it('of a device that leaves while its session is stored opens no connection', async () => {
    const test = new TestSession();
    let endSave: () => void = () => undefined;
    test.saving = new Promise((resolve) => (endSave = resolve));
    await test.connect();
    test.session.gone();
    endSave();
    await settled();
    expect(test.ends).toMatchObject([{ left: { sessionEndsInMs: null } }]);
    expect(test.said).toEqual(['kept']);
  });
});
