import { InvalidRequest } from '@postrider/domain';
import { readCredentials } from './read-credentials';

const TWILIO = { provider: 'twilio', accountSid: `AC${'0'.repeat(32)}`, authToken: 'token', from: '+15005550006' };
const HTTP = {
  provider: 'http',
  endpoint: 'https://sms.example.com/send',
  body: '{"to":"{{ to }}","text":"{{ text }}"}',
};

const parse = (body: unknown): ReturnType<typeof readCredentials> =>
  readCredentials('sms', body, { allowPrivateEndpoints: false });

function badFields(body: unknown): string[] {
  try {
    parse(body);
  } catch (error) {
    if (error instanceof InvalidRequest) return error.options.details?.map(({ path }) => path) ?? [];
    throw error;
  }
  return [];
}

describe('SMS credentials', () => {
  it('of Twilio seal the password', () => {
    expect(parse(TWILIO)).toEqual({
      settings: {
        provider: 'twilio',
        accountSid: TWILIO.accountSid,
        from: TWILIO.from,
        endpoint: 'https://api.twilio.com',
      },
      secrets: { authToken: 'token' },
    });
  });

  it('of any provider say what becomes of an SMS that may have been taken', () => {
    for (const onUnknown of ['leave', 'resend']) {
      for (const body of [TWILIO, HTTP, { provider: 'kavenegar', apiKey: 'key', sender: '1000' }]) {
        expect(parse({ ...body, onUnknown }).settings.onUnknown).toBe(onUnknown);
      }
    }
    expect(badFields({ ...HTTP, onUnknown: 'twice' })).toEqual(['onUnknown']);
  });

  it('of Kavenegar seal the key, and get a secret for its reports', () => {
    const { settings, secrets } = parse({ provider: 'kavenegar', apiKey: 'key', sender: '1000' });
    expect(settings).toEqual({ provider: 'kavenegar', sender: '1000', endpoint: 'https://api.kavenegar.com' });
    expect(secrets).toEqual({ apiKey: 'key', statusSecret: expect.stringMatching(/^[\w-]{32}$/) });
    expect(parse({ provider: 'kavenegar', apiKey: 'key', sender: '1000' }).secrets).not.toEqual(secrets);
  });

  it('of an HTTP provider seal whatever may hold a key', () => {
    const body = {
      ...HTTP,
      endpoint: 'https://sms.example.com/send?key=k',
      headers: { 'X-Key': 'k' },
      idPath: 'data[0].id',
    };
    const { settings, secrets } = parse({ ...body, successStatus: 202 });
    expect(settings).toEqual({
      provider: 'http',
      endpoint: 'https://sms.example.com/send',
      method: 'POST',
      successStatus: [202],
      idPath: 'data[0].id',
    });
    expect(secrets).toMatchObject({ query: '?key=k', headers: { 'X-Key': 'k' }, body: HTTP.body });
  });

  it.each([
    ['https://sms.example.com/send/', 'https://sms.example.com/send/', ''],
    ['https://sms.example.com/send/?key=a/b/', 'https://sms.example.com/send/', '?key=a/b/'],
  ])('of an HTTP provider keep the address as it is: %s', (address, endpoint, query) => {
    const { settings, secrets } = parse({ ...HTTP, endpoint: address });
    expect([settings.endpoint, secrets.query]).toEqual([endpoint, query]);
  });

  it.each([
    ['no provider', { ...TWILIO, provider: 'other' }, ['provider']],
    ['no sender', { ...TWILIO, from: undefined }, ['from']],
    ['two senders', { ...TWILIO, messagingServiceSid: `MG${'0'.repeat(32)}` }, ['from']],
    ['a bad account and no password', { ...TWILIO, accountSid: 'AC1', authToken: '' }, ['accountSid', 'authToken']],
    ['plain http', { ...TWILIO, endpoint: 'http://api.twilio.com' }, ['endpoint']],
    ['a query that would be lost', { ...TWILIO, endpoint: 'https://api.twilio.com/?edge=dublin' }, ['endpoint']],
    ['a key with blanks', { provider: 'kavenegar', apiKey: 'a b', sender: '1' }, ['apiKey']],
    ['no endpoint', { ...HTTP, endpoint: undefined }, ['endpoint']],
    ['a template that is none', { ...HTTP, body: '{% if %}' }, ['body']],
    ['a name that is none', { ...HTTP, body: '{"to":"{{ phone }}"}' }, ['body']],
    ['JSON that is none', { ...HTTP, body: '{"to":{{ to }}}' }, ['body']],
    ['a method that is none', { ...HTTP, method: 'DELETE' }, ['method']],
    ['a status that is none', { ...HTTP, successStatus: [200, '201'] }, ['successStatus']],
    ['a path that is none', { ...HTTP, idPath: 'a..b' }, ['idPath']],
    [
      'headers that break out',
      { ...HTTP, headers: { 'X-A': 'a\r\nX-B: b', 'a b': 'x' } },
      ['headers.X-A', 'headers.a b'],
    ],
    [
      'a header that is ours',
      { ...HTTP, headers: { Host: 'x', 'Content-Length': '1' } },
      ['headers.Host', 'headers.Content-Length'],
    ],
    ['headers that are a list', { ...HTTP, headers: ['x'] }, ['headers']],
    ['a status secret that is short', { ...HTTP, statusSecret: 'x' }, ['statusSecret']],
    ['an authority that is none', { ...HTTP, ca: 'x' }, ['ca']],
    ['two senders of which one is bad', { ...TWILIO, messagingServiceSid: 5 }, ['from', 'messagingServiceSid']],
    ['no object', 'twilio', ['']],
  ])('are refused with %s', (_name, body, fields) => {
    expect(badFields(body).sort()).toEqual([...fields].sort());
  });
});
