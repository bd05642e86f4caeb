import { outcomeOfFailure, type RequestFailure } from './outcome-of-failure';

const failure = (kind: RequestFailure['kind'], code: string): RequestFailure => ({ kind, code, reason: 'as it says' });

describe('a request without an answer', () => {
  it.each([
    ['that nobody can have got', failure('unsent', 'ECONNREFUSED'), 'retryable'],
    ['that the vendor may have got', failure('unanswered', 'ECONNRESET'), 'ambiguous'],
    ['to a private address', failure('unsent', 'PRIVATE_ADDRESS'), 'config'],
    ['to an address without TLS', failure('unsent', 'PLAIN_ENDPOINT'), 'config'],
    ['that cannot be written', failure('unsent', 'NOT_SENDABLE'), 'request_invalid'],
  ])('%s', (_, given, kind) => {
    expect(outcomeOfFailure(given)).toMatchObject({ kind, code: given.code, reason: 'as it says' });
  });

  it('says when the connection is tried again, if that is known', () => {
    const unsent = failure('unsent', 'ECONNREFUSED');
    expect(outcomeOfFailure({ ...unsent, retryAfterMs: 500 })).toMatchObject({ retryAfterMs: 500 });
    expect(outcomeOfFailure(unsent)).toMatchObject({ retryAfterMs: null });
  });
});
