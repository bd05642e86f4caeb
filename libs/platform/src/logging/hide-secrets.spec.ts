import { hideSecrets } from './hide-secrets';

describe('hiding secrets from the log', () => {
  it('leaves a line without secrets as it is', () => {
    const facts = { appId: 'shop', err: undefined, at: new Date(), list: [1, { a: null }] };
    expect(hideSecrets(facts)).toBe(facts);
  });

  it.each([
    [
      { token: 'abc', appId: 'shop' },
      { token: '***', appId: 'shop' },
    ],
    [{ request: { authorization: 'Bearer x' } }, { request: { authorization: '***' } }],
    [{ a: { b: { privateKey: 'k', c: 1 } } }, { a: { b: { privateKey: '***', c: 1 } } }],
    [{ devices: [{ deviceToken: 'x' }, { id: 2 }] }, { devices: [{ deviceToken: '***' }, { id: 2 }] }],
    [{ token: null }, { token: '***' }],
  ])('shows %j as %j, and does not touch the original', (facts, shown) => {
    const before = structuredClone(facts);
    expect(hideSecrets(facts)).toEqual(shown);
    expect(facts).toEqual(before);
  });

  it('leaves alone what has a serializer of its own', () => {
    const facts = { err: Object.assign(new Error('no'), { token: 'abc' }) };
    expect(hideSecrets(facts, 'err')).toBe(facts);
  });
});
