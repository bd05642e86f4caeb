import type { SendOutcome } from '@postrider/domain';
import { accepted } from '../testing/fake-sender';
import { APP_ID } from '../testing/ledger';
import { usePageStage } from '../testing/page-stage';

const HOUR_MS = 3_600_000;

describe('a dead token', () => {
  const stage = usePageStage();

  const dead = (deadSince?: Date): SendOutcome => ({
    kind: 'token_invalid',
    code: 'UNREGISTERED',
    reason: 'gone',
    ...(deadSince && { deadSince }),
  });
  const tokenStatus = async (): Promise<unknown[]> =>
    (await stage.ledger.run('SELECT token_status FROM installations ORDER BY id')).map(
      ({ token_status }) => token_status,
    );

  it('is switched off, and the delivery failed with the vendor’s code', async () => {
    const { key } = await stage.pageOf(2);
    stage.sender.answer = (token) => (token === 't1' ? dead() : accepted(token));
    await stage.worker().attempt('fcm', key);
    expect(await tokenStatus()).toEqual(['INVALID', null]);
    expect((await stage.ledger.deliveries(key.messageId))[0]).toMatchObject({
      state: 'failed',
      error_code: 'UNREGISTERED',
    });
  });

  it('stays on when the device registered it again, or another one, meanwhile', async () => {
    const { key, devices } = await stage.pageOf(3);
    stage.sender.answer = (token) =>
      token === 't3' ? dead(new Date(stage.clock.now().getTime() - 2 * HOUR_MS)) : undefined;
    const { attempt } = stage.worker();
    const end = attempt('fcm', key);
    await stage.sender.untilWaiting(2);
    await stage.ledger.run(`UPDATE installations SET token_registered_at = now() WHERE id = $1`, [devices[0]]);
    await stage.ledger.run(`UPDATE installations SET token = 'new' WHERE id = $1`, [devices[1]]);
    stage.sender.release(() => dead());
    await end;
    expect(await tokenStatus()).toEqual([null, null, null]);
    expect(Object.values(await stage.ledger.states(key))).toEqual(['failed', 'failed', 'failed']);
  });

  it('stays on when most of many tokens are called dead at once', async () => {
    const { key } = await stage.pageOf(40);
    stage.sender.answer = (token) => (Number(token.slice(1)) > 10 ? dead() : accepted(token));
    const { attempt, lines } = stage.worker();
    await attempt('fcm', key);
    expect(new Set(await tokenStatus())).toEqual(new Set([null]));
    expect(lines).toContainEqual(
      expect.objectContaining({ event: 'tokens.quarantined', count: 30, share: 0.75, appId: APP_ID, vendor: 'fcm' }),
    );
  });
});
