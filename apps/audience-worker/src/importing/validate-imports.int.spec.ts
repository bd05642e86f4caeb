import type { SendOutcome } from '@postrider/domain';
import { rows } from '@postrider/persistence';
import { countsOf, tokenList, useTestImports } from './testing/test-imports';

const VALIDATED = { pushType: 'fcm', hasHeader: false, validationRate: 1_000 } as const;
const taken: SendOutcome = { kind: 'accepted', vendorMessageId: null };

describe('an import that asks FCM about its tokens', () => {
  const imports = useTestImports();

  it('leaves out the tokens that FCM refuses, by their lines and with its code, and asks about each once', async () => {
    imports.answer((token) =>
      token === 't2'
        ? { kind: 'token_invalid', code: 'UNREGISTERED', reason: 'Requested entity was not found.' }
        : taken,
    );
    const jobId = await imports.upload('t1,ada\nt2,bob\nt1,ada\nt3,cleo\n', 'tokens', VALIDATED);
    // A turn that may not wait does not validate.
    expect(await imports.turn(jobId)).toBe('validates');
    const { job, errors } = await imports.work(jobId, true);
    expect(countsOf(job)).toMatchObject({ status: 'done', lines: 4, created: 2, updated: 1, failed: 1 });
    expect(job).toMatchObject({ validTokens: 3, invalidTokens: 1, unansweredTokens: 0, validationError: null });
    expect(errors).toEqual([{ line: 2, message: 'FCM refuses the token: UNREGISTERED' }]);
    expect(imports.fcm?.asked).toEqual(['t1', 't2', 't3']);
    expect((await imports.devices()).map(({ token }) => token)).toEqual(['t1', 't3']);
    expect(await rows(imports.database, `SELECT user_id FROM users ORDER BY 1`)).toEqual([
      { user_id: 'ada' },
      { user_id: 'cleo' },
    ]);
  });

  it('imports the tokens that FCM gives no answer about, and says how many and why', async () => {
    imports.answer((token) =>
      token === 't1'
        ? taken
        : { kind: 'retryable', code: 'UNAVAILABLE', reason: 'The service is down', retryAfterMs: null },
    );
    const { job } = await imports.work(await imports.upload('t1,ada\nt2,bob\n', 'tokens', VALIDATED), true);
    expect(countsOf(job)).toMatchObject({ status: 'done', created: 2, failed: 0 });
    expect(job).toMatchObject({
      validTokens: 1,
      unansweredTokens: 1,
      validationError: 'UNAVAILABLE: The service is down',
    });
    expect(imports.fcm?.asked).toHaveLength(5);
    expect((await imports.devices()).map(({ usableVendor }) => usableVendor)).toEqual(['fcm', 'fcm']);
    imports.fcm = null;
    const without = await imports.work(await imports.upload('t3,ada\n', 'tokens', VALIDATED), true);
    expect(without.job).toMatchObject({ created: 1, unansweredTokens: 1 });
    expect(without.job.validationError).toMatch(/^no_sender: /);
  });

  it('asks nobody about tokens of other vendors', async () => {
    imports.answer(() => ({ kind: 'token_invalid', code: 'UNREGISTERED', reason: 'gone' }));
    const { job } = await imports.work(
      await imports.upload('ab,ada\n', 'tokens', { ...VALIDATED, pushType: 'apns' }),
      true,
    );
    expect(job).toMatchObject({ created: 1, validTokens: 0, invalidTokens: 0, unansweredTokens: 0 });
    expect(imports.fcm?.asked).toEqual([]);
  });

  it('goes on behind what is written when a worker dies, and asks again only about a second of tokens', async () => {
    imports.answer(() => taken);
    const options = { ...VALIDATED, validationRate: 10 };
    const jobId = await imports.upload(tokenList(30), 'tokens', options);
    const dying = new AbortController();
    const before = imports.fcm?.validate;
    if (imports.fcm)
      imports.fcm.validate = (token, done) => {
        if (imports.fcm?.asked.length === 14) dying.abort();
        before?.(token, done);
      };
    expect(await imports.turn(jobId, { signal: dying.signal, mayWait: true })).toBe('unfinished');
    expect(await imports.devices()).toHaveLength(10);
    const { job } = await imports.work(jobId, true);
    expect(job).toMatchObject({ created: 30, validTokens: 30 });
    expect(imports.fcm?.asked).toHaveLength(35);
  });
});
