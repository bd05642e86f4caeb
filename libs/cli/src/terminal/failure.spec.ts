import { PostriderError } from '@postrider/server';
import { EXIT, reportOf } from './failure';

describe('the report of a call that the service wants later', () => {
  const report = (retryAfterMs: number | null): unknown =>
    reportOf(new PostriderError('RATE_LIMITED', 'Too many requests', { status: 429, retryAfterMs }));

  it.each([
    [1_500, 'Try again in 2 s.'],
    [90_000, 'Try again in 90 s.'],
    [120_000, 'Try again in 2 min.'],
    [3_590_000, 'Try again in 60 min.'],
  ])('says when: after %d ms', (retryAfterMs, hint) => {
    expect(report(retryAfterMs)).toMatchObject({ exitCode: EXIT.unavailable, retryAfterMs, hint });
  });

  it('says nothing of a time that the service did not name', () => {
    expect(report(null)).not.toHaveProperty('hint');
    expect(report(null)).not.toHaveProperty('retryAfterMs');
  });
});

it('a service that gave no answer is not available, even if no repetition helps', () => {
  const failure = new PostriderError('UNREACHABLE', 'certificate has expired', { isLasting: true });
  expect(reportOf(failure)).toMatchObject({ exitCode: EXIT.unavailable, code: 'UNREACHABLE' });
});
