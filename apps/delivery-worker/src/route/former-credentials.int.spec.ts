import type { SendOutcome } from '@postrider/domain';
import { type PageKey, rows } from '@postrider/persistence';
import { accepted } from '../testing/fake-sender';
import { APP_ID } from '../testing/ledger';
import { usePageStage } from '../testing/page-stage';
import { storeCredentials } from '../testing/test-worker';
import { addWebhook } from '../webhooks/testing/webhook-worker';

const refused: SendOutcome = { kind: 'config', code: 'PERMISSION_DENIED', reason: 'The key was revoked' };
const wrongTopic: SendOutcome = { kind: 'token_invalid', code: 'DeviceTokenNotForTopic', reason: 'Another topic' };

describe('an answer to a call with former credentials', () => {
  const stage = usePageStage();

  /**
   * Begins a call, changes the credentials, begins another call with the new ones, and lets the vendor answer both, the
   * former first. @returns the page of the second call
   */
  async function answerBoth(former: SendOutcome, present: SendOutcome): Promise<PageKey> {
    await addWebhook(stage.database, APP_ID, 'https://example.com/', ['vendor.credentials_failing']);
    const worker = stage.worker();
    const reports = [jest.spyOn(worker.reports, 'held'), jest.spyOn(worker.reports, 'works')];
    const [first, second] = await stage.addDevices(2);
    const pageOf = (device: typeof first): Promise<PageKey> =>
      stage.ledger.addMessage({ devices: [device ?? ''], acceptedAt: stage.clock.now() });
    stage.sender.answer = () => undefined;
    const formerEnd = worker.attempt('fcm', await pageOf(first));
    await stage.sender.untilWaiting(1);
    await storeCredentials(stage.database, APP_ID, stage.clock.now());
    stage.clock.advance(3_000);
    const page = await pageOf(second);
    const end = worker.attempt('fcm', page);
    await stage.sender.untilWaiting(2);
    stage.sender.release((token) => (token === 't1' ? former : present));
    await Promise.all([formerEnd, end]);
    await worker.reports.publish();
    await Promise.all(reports.flatMap(({ mock }) => mock.results.map(({ value }) => value as Promise<void>)));
    return page;
  }

  it('that was taken does not prove the new ones: a token that may belong to another topic is not at fault', async () => {
    const page = await answerBoth(accepted('t1'), wrongTopic);
    expect(await stage.ledger.states(page)).toEqual({});
    expect((await stage.ledger.pages(page.messageId)).map(({ state }) => String(state))).toContain('waiting');
  });

  it('that was refused does not hold the new ones, nor report them as failing', async () => {
    const page = await answerBoth(refused, accepted('t2'));
    expect(Object.values(await stage.ledger.states(page))).toEqual(['sent']);
    expect(await rows(stage.database.dataSource, 'SELECT type FROM webhook_events')).toEqual([]);
  });
});
