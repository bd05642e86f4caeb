import { stdSerializers } from 'pino';
import { hideData, hideSecrets } from './hide-secrets';

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

describe('hiding data from the log of an error', () => {
  /** What TypeORM throws: it has the properties of the driver's error, the driver's error, the statement and its values. */
  const failed = (): Error => {
    const ofDriver = {
      code: '23505',
      detail: 'Key (phone)=(+49301) already exists.',
      where: 'COPY users, line 1: "ada"',
    };
    const driverError = Object.assign(new Error('duplicate key'), ofDriver);
    const query = 'INSERT INTO users VALUES ($1)';
    return Object.assign(new Error('duplicate key'), { ...ofDriver, query, parameters: ['+49301'], driverError });
  };

  it('keeps what went wrong and where, without the statement, its values and the rows that the server quotes', () => {
    const shown = hideData(stdSerializers.err(failed()));
    expect(shown).toMatchObject({ message: 'duplicate key', code: '23505', stack: expect.stringContaining('Error') });
    expect(JSON.stringify(shown)).not.toMatch(/49301|ada|INSERT/);
  });

  it('does so for each error of several', () => {
    const shown = hideData(stdSerializers.err(new AggregateError([failed(), new Error('other')], 'both')));
    expect(shown).toMatchObject({ message: 'both', aggregateErrors: [{ code: '23505' }, { message: 'other' }] });
    expect(JSON.stringify(shown)).not.toMatch(/49301|ada|INSERT/);
  });
});
