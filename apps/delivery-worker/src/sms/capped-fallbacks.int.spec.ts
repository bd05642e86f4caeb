import type { DeviceId } from '@postrider/domain';
import { ContactsRepository, type MessageKey } from '@postrider/persistence';
import { newId } from '@postrider/platform';
import { APP_ID } from './testing/fallback-ledger';
import { ADA, BOB, useFallbackStage } from './testing/fallback-stage';

const DAY_MS = 86_400_000;
const CAP = { messages: 1, seconds: 3_600 };

describe('the SMS of a message that frequency caps apply to', () => {
  const stage = useFallbackStage();

  /** Counts another campaign for the users of these devices. @returns the devices whose users had reached the cap */
  async function contact(...devices: { id: DeviceId; userId: string }[]): Promise<string[]> {
    const now = stage.now();
    const contacts = { appId: APP_ID, messageId: newId(now), devices, frequencyCaps: [CAP], isCapped: true };
    const since = new Date(now.getTime() - DAY_MS);
    return [...(await new ContactsRepository(stage.database.dataSource).record({ ...contacts, since, now }))];
  }

  async function addCounted(users: string[], content: object = { countsTowardsCap: true }): Promise<MessageKey> {
    await stage.ledger.run(`UPDATE applications SET frequency_caps = $1, contacts_since = $2`, [
      JSON.stringify([CAP]),
      new Date(stage.now().getTime() - DAY_MS),
    ]);
    const key = await stage.ledger.addMessage({ users, acceptedAt: stage.now() });
    await stage.ledger.run(`UPDATE messages SET content = content || $1`, [JSON.stringify(content)]);
    return key;
  }

  it('goes to nobody who has reached a cap, although no page of the message has left', async () => {
    const NOBODY = '+14155550003';
    const [ada] = [await stage.ledger.addDevice(ADA), await stage.ledger.addDevice(BOB)];
    await contact({ id: ada, userId: ADA });
    const key = await addCounted([ADA, BOB, NOBODY]);
    await stage.pass(60);
    expect(stage.sender.numbers.sort()).toEqual([BOB, NOBODY]);
    expect(await stage.ledger.states(key)).toEqual({ [ADA]: 'cancelled', [BOB]: 'sent', [NOBODY]: 'sent' });
    const [ofAda] = await stage.ledger.fallbacks(key.messageId);
    expect(ofAda).toMatchObject({ phone: null, reason: expect.stringContaining('frequency caps') as string });
  });

  it('makes the message count for its user', async () => {
    const ada = await stage.ledger.addDevice(ADA);
    await addCounted([ADA]);
    await stage.pass(60);
    expect([stage.sender.numbers, await contact({ id: ada, userId: ADA })]).toEqual([[ADA], [ada]]);
  });

  it('goes to a user whom the page sent to, whatever they got since', async () => {
    const ada = await stage.ledger.addDevice(ADA);
    const key = await addCounted([ADA]);
    await stage.ledger.addDelivery(key, ada);
    await contact({ id: ada, userId: ADA });
    await stage.pass(60);
    expect(stage.sender.numbers).toEqual([ADA]);
  });

  it.each([{}, { countsTowardsCap: true, ignoreFrequencyCap: true }, { countsTowardsCap: true, isTest: true }])(
    'goes to everybody if the caps do not apply: %j',
    async (content) => {
      await contact({ id: await stage.ledger.addDevice(ADA), userId: ADA });
      await addCounted([ADA], content);
      await stage.pass(60);
      expect(stage.sender.numbers).toEqual([ADA]);
    },
  );
});
