import type { SendOutcome } from '@postrider/domain';
import { SuspectVerdicts } from './suspect-verdicts';

const dead = (code: string): SendOutcome => ({ kind: 'token_invalid', code, reason: 'x' });

describe('verdicts on tokens before anything was taken', () => {
  it.each([
    ['DeviceTokenNotForTopic', 3],
    ['SENDER_ID_MISMATCH', 3],
    ['BadDeviceToken', 20],
    ['80300007', 20],
  ])('%s is believed %i times, then it is the credentials', (code, times) => {
    const verdicts = new SuspectVerdicts();
    const kinds = Array.from({ length: times + 2 }, () => verdicts.judge(dead(code)).kind);
    expect(kinds).toEqual([...Array.from({ length: times }, () => 'token_invalid'), 'config', 'config']);
    verdicts.reset();
    expect(verdicts.judge(dead(code)).kind).toBe('token_invalid');
  });

  it.each(['UNREGISTERED', 'Unregistered', 'HTTP_410', 'ExpiredToken'])('%s is always about the token', (code) => {
    const verdicts = new SuspectVerdicts();
    for (let n = 0; n < 100; n++) expect(verdicts.judge(dead(code)).kind).toBe('token_invalid');
  });

  it('leaves every other answer as it is', () => {
    const answer: SendOutcome = { kind: 'request_invalid', code: 'BadDeviceToken', reason: 'x' };
    expect(new SuspectVerdicts().judge(answer)).toBe(answer);
  });
});
