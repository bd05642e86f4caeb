import { Secret } from '@postrider/platform';
import { ClientSends } from './client-sends.service';

describe('a send of a client', () => {
  const calls: string[] = [];
  const sends = new ClientSends({ gatewayUrl: 'http://gateway' } as never, { warn: () => undefined } as never);
  const identity = { installationId: 'i', sendAccessToken: new Secret('token') } as never;
  const send = (payload: string): ReturnType<ClientSends['send']> =>
    sends.send(identity, { to: 'ann', channel: 'default', payload: Buffer.from(payload) });

  beforeEach(() => {
    calls.length = 0;
    jest.spyOn(globalThis, 'fetch').mockImplementation((_, init) => {
      calls.push(init?.body as string);
      return Promise.resolve(new Response('{"count":1}'));
    });
  });

  afterEach(() => jest.restoreAllMocks());

  it.each([
    ['{"content":"x","data":{"id":12345678901234567890}}', 'data.id is an integer'],
    ['{"content":"x","data":{"id":1e400}}', 'data.id is a number that is too large'],
    ['{"content":"x","data":{"__proto__":1}}', 'data.__proto__ is not allowed'],
    ['{"content":"half \\ud800"}', 'content'],
    ['[]', 'must be a JSON object'],
    ['{', 'not valid JSON'],
  ])(
    'that JSON would change, or that the gateway would not read, is refused by its field: %s',
    async (payload, says) => {
      expect(await send(payload)).toMatchObject({ kind: 'invalid', reason: expect.stringContaining(says) as string });
      expect(calls).toEqual([]);
    },
  );

  it('reaches the gateway with the users of its topic, and with numbers that a double holds', async () => {
    expect(await send('{"id":7,"user":"*","content":"x","data":{"a":9007199254740992}}')).toEqual({ kind: 'taken' });
    expect(calls.map((body) => JSON.parse(body) as unknown)).toEqual([
      { user: 'ann', channel: 'default', content: 'x', data: { a: 9007199254740992 } },
    ]);
  });
});
