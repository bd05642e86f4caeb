import { generate, type Packet } from 'mqtt-packet';
import { MQTT_5, OTHER_INSTALLATION, OWN_TOPIC, TestSession } from '../testing/test-session';

describe('SUBSCRIBE', () => {
  it('to the topic of another device of the user is refused, to a channel that is named like an installation not', async () => {
    const test = await TestSession.connected(MQTT_5);
    const own = 'app/shop/user/ann';
    const topics = [`${own}/${OTHER_INSTALLATION}`, `${own}/aaaaaaaa-89ab-4def-8123-456789abcdef`, OWN_TOPIC];
    const subscriptions = topics.map((topic) => ({ topic, qos: 1 as const }));
    await test.send({ cmd: 'subscribe', messageId: 1, subscriptions }, 5);
    expect(test.lastWritten).toMatchObject({ cmd: 'suback', granted: [0x87, 1, 1] });
    expect([...test.session.subscriptions.keys()]).toEqual(topics.slice(1));
  });

  it('to events is granted QoS 0, with which they are published (3.1.1 §3.8.4-6)', async () => {
    const test = new TestSession();
    if (test.admission.kind === 'admitted') test.admission.identity.mayRead = true;
    await test.connect();
    const topics = ['app/shop/event/buy/+', OWN_TOPIC];
    const subscriptions = topics.map((topic) => ({ topic, qos: 1 as const }));
    await test.send({ cmd: 'subscribe', messageId: 1, subscriptions });
    expect(test.lastWritten).toMatchObject({ cmd: 'suback', granted: [0, 1] });
  });

  it('to one channel more than a device may be in is refused until it leaves another, whichever session joined them', async () => {
    const test = await TestSession.connected(MQTT_5, { channels: 3 });
    const subscribed = async (...names: string[]): Promise<unknown> => {
      const subscriptions = names.map((name) => ({ topic: `app/shop/user/public/${name}`, qos: 1 as const }));
      await test.send({ cmd: 'subscribe', messageId: 1, subscriptions }, 5);
      return test.lastWritten;
    };
    expect(await subscribed('sport', 'news', 'music')).toMatchObject({ granted: [1, 1, 0x97] });
    await test.send({ cmd: 'unsubscribe', messageId: 2, unsubscriptions: ['app/shop/user/ann/alerts'] }, 5);
    expect(await subscribed('music', 'art', 'default')).toMatchObject({ granted: [1, 0x97, 1] });
  });

  it('to a channel that is refused takes no place of the subscriptions that a session may have', async () => {
    const test = await TestSession.connected(MQTT_5, { channels: 3, subscriptions: 5 });
    const channels = ['sport', 'news', 'music', 'default'].map((name) => `app/shop/user/public/${name}`);
    const subscriptions = [...channels, 'app/shop/user/ann/alerts', OWN_TOPIC].map((topic) => ({
      topic,
      qos: 1 as const,
    }));
    await test.send({ cmd: 'subscribe', messageId: 1, subscriptions }, 5);
    expect(test.lastWritten).toMatchObject({ granted: [1, 1, 0x97, 1, 1, 1] });
  });

  it('is still answered when another connection replaces the one of a browser, which waits for it on an open socket', async () => {
    const test = await TestSession.connected();
    const answered = test.send({ cmd: 'subscribe', messageId: 1, subscriptions: [{ topic: OWN_TOPIC, qos: 1 }] });
    test.session.close('taken_over');
    await answered;
    expect(test.lastWritten).toMatchObject({ cmd: 'suback', messageId: 1, granted: [1] });
    expect(test).toMatchObject({ isLingering: true, isEnded: false });
    test.offer(test.delivery(1));
    expect(test.lastWritten).toMatchObject({ cmd: 'suback' });
  });

  it('ends a replaced connection when another request came after it: nobody would answer that', async () => {
    const test = await TestSession.connected();
    const subscribe = { cmd: 'subscribe', subscriptions: [{ topic: OWN_TOPIC, qos: 1 }] } as const;
    const packets = [1, 2].map((messageId) => generate({ ...subscribe, messageId } as unknown as Packet));
    const answered = test.receive(Buffer.concat(packets));
    test.session.close('taken_over');
    await answered;
    expect(test.lastWritten).toMatchObject({ cmd: 'suback', messageId: 1 });
    expect(test.isEnded).toBe(true);
  });
});

describe('the topics of a session', () => {
  it('are those of the registration until the client subscribes', async () => {
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

  it('include the topic of the device although its client names only a channel', async () => {
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

  it('leave out what the client has unsubscribed from', async () => {
    const test = new TestSession();
    await test.connect();
    const own = 'app/shop/user/ann/default';
    const topics = ['app/shop/user/public/sport', own];
    const subscriptions = topics.map((topic) => ({ topic, qos: 1 }));
    await test.send({ cmd: 'subscribe', messageId: 9, subscriptions } as never);
    await test.send({ cmd: 'unsubscribe', messageId: 10, unsubscriptions: [own] } as never);
    test.session.tick(test.session.now() + 2_000);
    test.offer(test.delivery(1));
    expect(test.publishedIds).toEqual([]);
    expect([...test.session.subscriptions.keys()]).toEqual(['app/shop/user/public/sport']);
  });
});
