import { randomUUID } from 'node:crypto';
import { type FormerOwner, QuietUser } from '@postrider/maintenance';
import { ErasuresRepository, OwnerChangesRepository } from '@postrider/persistence';
import { APP_ID } from './testing/fallback-ledger';
import { ADA, BOB, useFallbackStage } from './testing/fallback-stage';

const SECOND = 1_000;

describe('fallback SMS of a user who is being erased', () => {
  const stage = useFallbackStage();

  /** Does what an erasure does before it removes anything from messages. The user has no device. */
  const quieten = (): Promise<void> => {
    const { dataSource: database } = stage.database;
    const [erasures, ownerChanges] = [new ErasuresRepository(database), new OwnerChangesRepository(database)];
    const quiet = new QuietUser(stage.clock, erasures, ownerChanges, {} as FormerOwner);
    return quiet.sendingEnded({ appId: APP_ID, userId: ADA, erasureId: randomUUID() }, []);
  };

  const addMessage = (): ReturnType<typeof stage.ledger.addMessage> =>
    stage.ledger.addMessage({ users: [ADA, BOB], acceptedAt: stage.now() });

  it('are not tried again after the attempt that the erasure waits for', async () => {
    const key = await addMessage();
    await stage.ledger.run(`UPDATE fallbacks SET state = 'confirmed', wake_at = NULL WHERE user_id = $1`, [BOB]);
    let quiet: Promise<void> | undefined;
    stage.sender.answer = () => {
      quiet ??= quieten();
      return { kind: 'retryable', code: 'busy', reason: 'Later', retryAfterMs: null };
    };
    await stage.pass(60);
    await quiet;
    await stage.pass(3_600);
    expect(stage.sender.numbers).toEqual([ADA]);
    expect(await stage.ledger.states(key)).toEqual({ [ADA]: 'cancelled', [BOB]: 'confirmed' });
  });

  it.each([
    ['its worker died before it wrote it', false, 'cancelled'],
    ['its provider says later that it does not have it', true, 'unknown'],
  ])('are not sent again if %s', async (_, isWritten, state) => {
    const key = await addMessage();
    stage.clock.advance(60 * SECOND);
    const { toSend } = await stage.worker.claims.claim(key, await stage.account(), 10);
    expect(toSend).toHaveLength(2);
    if (isWritten) await stage.worker.attempts.begin(key, toSend);
    stage.sender.known = 'absent';
    stage.clock.advance(130 * SECOND);
    await quieten();
    await stage.pass(60);
    expect(stage.sender.numbers).toEqual([BOB]);
    expect(await stage.ledger.states(key)).toEqual({ [ADA]: state, [BOB]: 'sent' });
  });

  it('are not sent if they wait', async () => {
    const key = await addMessage();
    await quieten();
    await stage.pass(60);
    expect(stage.sender.numbers).toEqual([BOB]);
    expect(await stage.ledger.states(key)).toEqual({ [ADA]: 'cancelled', [BOB]: 'sent' });
  });
});
