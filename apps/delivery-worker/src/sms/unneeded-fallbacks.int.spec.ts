import { FallbacksRepository, inTransaction } from '@postrider/persistence';
import { taken } from './testing/fake-sms-sender';
import { ADA, BOB, useFallbackStage } from './testing/fallback-stage';

const SECOND = 1_000;

describe('fallback SMS', () => {
  const stage = useFallbackStage();

  describe('is not needed', () => {
    it.each(['delivered', 'shown', 'opened', 'dismissed'] as const)('when a device has it %s', async (state) => {
      const device = await stage.ledger.addDevice(ADA);
      const key = await stage.ledger.addMessage({ users: [ADA, BOB], acceptedAt: stage.now() });
      await stage.ledger.addDelivery(key, device);
      await stage.ledger.report(key, device, state, stage.now());
      expect(await stage.ledger.states(key)).toEqual({ [ADA]: 'confirmed', [BOB]: 'waiting' });
      await stage.pass(60);
      expect(stage.sender.numbers).toEqual([BOB]);
    });

    it('when the connection has acknowledged it without telling the fallback', async () => {
      const device = await stage.ledger.addDevice(ADA);
      const key = await stage.ledger.addMessage({ users: [ADA], acceptedAt: stage.now() });
      await stage.ledger.addDelivery(key, device, 'delivered');
      await stage.pass(60);
      expect([stage.sender.numbers, await stage.ledger.states(key)]).toEqual([[], { [ADA]: 'confirmed' }]);
    });

    it('when they have read it and then signed out on that device', async () => {
      const device = await stage.ledger.addDevice(ADA);
      const key = await stage.ledger.addMessage({ users: [ADA], acceptedAt: stage.now() });
      await stage.ledger.addDelivery(key, device);
      await stage.ledger.report(key, device, 'opened', stage.now());
      await stage.ledger.run(`UPDATE installations SET user_id = 'someone else'`);
      await stage.pass(60);
      expect([stage.sender.numbers, await stage.ledger.states(key)]).toEqual([[], { [ADA]: 'confirmed' }]);
    });
  });

  describe('of a message on a channel', () => {
    const CHANNEL = 'private/alerts';

    it('is only for members, and for users without a device', async () => {
      const [MEMBER, STRANGER, NOBODY] = ['+4915112345601', '+4915112345602', '+4915112345603'];
      await stage.ledger.addDevice(MEMBER);
      await stage.ledger.addDevice(MEMBER, {}, ['public/sport', CHANNEL]);
      await stage.ledger.addDevice(STRANGER, {}, ['public/alerts']);
      await stage.ledger.addDevice(STRANGER, { phone: STRANGER });
      const users = [MEMBER, STRANGER, NOBODY];
      const key = await stage.ledger.addMessage({ users, acceptedAt: stage.now(), channel: CHANNEL });
      await stage.pass(60);
      expect(stage.sender.numbers.sort()).toEqual([MEMBER, NOBODY]);
      expect(await stage.ledger.states(key)).toEqual({ [MEMBER]: 'sent', [STRANGER]: 'cancelled', [NOBODY]: 'sent' });
      const [, ofStranger] = await stage.ledger.fallbacks(key.messageId);
      expect(ofStranger).toMatchObject({
        user_id: STRANGER,
        reason: 'No device of the user is a member of the channel',
      });
    });

    it.each(['public/default', 'private/default'])('is for everybody on %s', async (channel) => {
      await stage.ledger.addDevice(ADA);
      await stage.ledger.addMessage({ users: [ADA], acceptedAt: stage.now(), channel });
      await stage.pass(60);
      expect(stage.sender.numbers).toEqual([ADA]);
    });
  });

  it('is needed although the vendor took the push', async () => {
    const key = await stage.ledger.addMessage({ users: [ADA], acceptedAt: stage.now() });
    await stage.ledger.addDelivery(key, await stage.ledger.addDevice(ADA), 'sent');
    await stage.pass(60);
    expect(stage.sender.numbers).toEqual([ADA]);
  });

  it('is needed until the notification was shown, if it is to be shown', async () => {
    const [ada, bob] = [await stage.ledger.addDevice(ADA), await stage.ledger.addDevice(BOB)];
    const key = await stage.ledger.addMessage({
      users: [ADA, BOB],
      acceptedAt: stage.now(),
      policy: 'NOTIFICATION_SHOWN',
    });
    for (const device of [ada, bob]) await stage.ledger.addDelivery(key, device);
    await stage.ledger.report(key, ada, 'delivered', stage.now());
    await stage.ledger.report(key, bob, 'shown', stage.now());
    await stage.pass(60);
    expect(stage.sender.numbers).toEqual([ADA]);
    expect(await stage.ledger.states(key)).toEqual({ [ADA]: 'sent', [BOB]: 'confirmed' });
  });

  it('of another device does not count as their confirmation', async () => {
    const key = await stage.ledger.addMessage({ users: [ADA], acceptedAt: stage.now() });
    const stranger = await stage.ledger.addDevice(BOB);
    await stage.ledger.addDelivery(key, stranger, 'opened');
    await stage.pass(60);
    expect(stage.sender.numbers).toEqual([ADA]);
  });

  describe('and a receipt at the same moment', () => {
    it('that came while it was claimed, but before the claim was made: no SMS', async () => {
      const device = await stage.ledger.addDevice(ADA);
      const key = await stage.ledger.addMessage({ users: [ADA], acceptedAt: stage.now() });
      await stage.ledger.addDelivery(key, device);
      stage.clock.advance(60 * SECOND);
      await inTransaction(stage.database.dataSource, async (executor) => {
        await new FallbacksRepository(stage.database.dataSource).lockDue(executor, key, stage.now(), 10);
        await stage.ledger.report(key, device, 'delivered', stage.now());
      });
      expect(await stage.ledger.states(key)).toEqual({ [ADA]: 'waiting' });
      await stage.worker.turn();
      expect([stage.sender.numbers, await stage.ledger.states(key)]).toEqual([[], { [ADA]: 'confirmed' }]);
    });

    it('that came after the claim: one SMS, and never `confirmed` as well', async () => {
      const device = await stage.ledger.addDevice(ADA);
      const key = await stage.ledger.addMessage({ users: [ADA], acceptedAt: stage.now() });
      await stage.ledger.addDelivery(key, device);
      stage.sender.answer = async (request) => {
        await stage.ledger.report(key, device, 'opened', stage.now());
        return taken(request);
      };
      await stage.pass(60);
      expect([stage.sender.numbers, await stage.ledger.states(key)]).toEqual([[ADA], { [ADA]: 'sent' }]);
    });

    it('is one or the other for each of many users', async () => {
      const users = Array.from({ length: 60 }, (_, n) => `+1415555${String(1_000 + n)}`);
      const devices = await Promise.all(users.map((user) => stage.ledger.addDevice(user)));
      const key = await stage.ledger.addMessage({ users, acceptedAt: stage.now() });
      for (const device of devices) await stage.ledger.addDelivery(key, device);
      stage.clock.advance(60 * SECOND);
      await Promise.all([
        stage.worker.turn(),
        ...devices.map((device) => stage.ledger.report(key, device, 'delivered', stage.now())),
      ]);
      await stage.worker.turn();
      const states = await stage.ledger.states(key);
      const confirmed = users.filter((user) => states[user] === 'confirmed');
      expect(users.filter((user) => states[user] === 'sent').sort()).toEqual([...stage.sender.numbers].sort());
      expect(confirmed.length + stage.sender.numbers.length).toBe(users.length);
    });
  });
});
