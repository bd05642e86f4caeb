import type { SendOutcome } from '@postrider/domain';
import { type RefusalContext, RefusalClassifier } from './refusal-classifier';

const NOW = Date.parse('2026-11-21T12:00:00Z');
const dead = (code: string): SendOutcome => ({ kind: 'token_invalid', code, reason: 'x' });
const mismatch: SendOutcome = { kind: 'mismatch', code: 'HTTP_403', reason: 'x' };
const context = (known: Partial<RefusalContext> = {}): RefusalContext => {
  return {
    token: 't',
    attempt: 1,
    firstAttemptAt: NOW,
    isProven: false,
    lastAcceptedAt: 0,
    wasAccepted: false,
    isOneServiceAlone: false,
    ...known,
  };
};

describe('refusals of tokens before anything was taken', () => {
  it.each([
    ['DeviceTokenNotForTopic', 'mismatch'],
    ['SENDER_ID_MISMATCH', 'mismatch'],
    ['BadDeviceToken', 'token_invalid'],
    ['80300007', 'token_invalid'],
  ])('%s of 19 devices is %s, of more it is the credentials', (code, kind) => {
    const classifier = new RefusalClassifier();
    const kinds = Array.from(
      { length: 21 },
      (_, n) => classifier.classify(dead(code), context({ token: `t${n}` }), NOW).kind,
    );
    expect(kinds).toEqual([...Array.from({ length: 19 }, () => kind), 'config', 'config']);
    classifier.reset();
    expect(classifier.classify(dead(code), context(), NOW).kind).toBe(kind);
  });

  it.each(['UNREGISTERED', 'Unregistered', 'HTTP_410', 'ExpiredToken'])('%s is always about the token', (code) => {
    const classifier = new RefusalClassifier();
    for (let n = 0; n < 100; n++) {
      expect(classifier.classify(dead(code), context({ token: `t${n}` }), NOW).kind).toBe('token_invalid');
    }
  });

  it('leaves every other answer as it is', () => {
    const answer: SendOutcome = { kind: 'request_invalid', code: 'BadDeviceToken', reason: 'x' };
    expect(new RefusalClassifier().classify(answer, context(), NOW)).toBe(answer);
  });
});

describe('a key that only some devices need', () => {
  const refused: SendOutcome = { kind: 'config', code: 'THIRD_PARTY_AUTH_ERROR', reason: 'x' };
  const kindOf = (classifier: RefusalClassifier, known: Partial<RefusalContext>): string =>
    classifier.classify(refused, context(known), NOW).kind;

  it('holds every device until any was accepted', () => {
    expect(kindOf(new RefusalClassifier(), {})).toBe('config');
  });

  it('holds none of the others while some are accepted: the device waits', () => {
    const classifier = new RefusalClassifier();
    for (let n = 1; n < 20; n++) expect(kindOf(classifier, { token: `t${n}`, isProven: true })).toBe('mismatch');
    classifier.reset();
    expect(kindOf(classifier, { token: 't20', isProven: true })).toBe('mismatch');
    const again = { attempt: 2, isProven: true, lastAcceptedAt: NOW + 5 };
    expect(classifier.classify(refused, context(again), NOW + 10_000)).toEqual({
      kind: 'mismatch',
      code: 'THIRD_PARTY_AUTH_ERROR',
      reason: 'x',
    });
  });

  it('holds every device again when twenty are refused and none is accepted between', () => {
    const classifier = new RefusalClassifier();
    for (let n = 1; n < 20; n++) kindOf(classifier, { token: `t${n}`, isProven: true });
    expect(kindOf(classifier, { token: 't20', isProven: true })).toBe('config');
  });

  it('leaves other refusals of credentials as they are', () => {
    const answer: SendOutcome = { kind: 'config', code: 'PERMISSION_DENIED', reason: 'x' };
    expect(new RefusalClassifier().classify(answer, context({ isProven: true }), NOW)).toBe(answer);
  });
});

describe('a device that does not belong to the credentials', () => {
  it('is no proof of anything, however often it is tried', () => {
    const classifier = new RefusalClassifier();
    for (let attempt = 1; attempt < 100; attempt++) {
      expect(classifier.classify(mismatch, context({ attempt }), NOW).kind).toBe('mismatch');
    }
  });

  it('is at fault itself when it is refused again while others were taken', () => {
    const classifier = new RefusalClassifier();
    expect(classifier.classify(mismatch, context({ isProven: true, lastAcceptedAt: NOW + 5 }), NOW).kind).toBe(
      'mismatch',
    );
    const second = context({ attempt: 2, isProven: true, lastAcceptedAt: NOW + 5 });
    expect(classifier.classify(mismatch, second, NOW + 10_000).kind).toBe('request_invalid');
    const before = context({ attempt: 2, isProven: true, lastAcceptedAt: NOW - 5 });
    expect(classifier.classify(mismatch, before, NOW + 10_000).kind).toBe('mismatch');
  });

  it('is given up after an hour when the credentials have worked for others', () => {
    const classifier = new RefusalClassifier();
    const known = context({ attempt: 9, isProven: true });
    expect(classifier.classify(mismatch, known, NOW + 3_600_000).kind).toBe('request_invalid');
    expect(classifier.classify(mismatch, { ...known, isProven: false }, NOW + 3_600_000).kind).toBe('mismatch');
  });

  it('blames the credentials with nineteen others, and nothing taken between', () => {
    const classifier = new RefusalClassifier();
    const kindOf = (n: number): string => classifier.classify(mismatch, context({ token: `t${n}` }), NOW).kind;
    for (let n = 1; n < 20; n++) expect(kindOf(n)).toBe('mismatch');
    classifier.reset();
    for (let n = 1; n < 20; n++) expect(kindOf(n)).toBe('mismatch');
    expect(kindOf(20)).toBe('config');
  });

  it('waits, and so do any number of others, while credentials are good that a few have got since', () => {
    const classifier = new RefusalClassifier();
    const kindOf = (known: Partial<RefusalContext>, now: number): string =>
      classifier.classify(mismatch, context({ isProven: true, ...known }), now).kind;
    for (let n = 1; n <= 100; n++) expect(kindOf({ token: `t${n}` }, NOW)).toBe('mismatch');
    expect(kindOf({ token: 't1', attempt: 9 }, NOW + 3_600_000)).toBe('mismatch');
    expect(kindOf({ token: 't1', attempt: 9, lastAcceptedAt: NOW + 1 }, NOW + 3_600_000)).toBe('request_invalid');
  });
});
