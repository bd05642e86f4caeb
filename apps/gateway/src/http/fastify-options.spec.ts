import { joinChannelName } from './fastify-options';

describe('the name of a channel in a path', () => {
  it.each([
    ['/api/channels/private/alerts', '/api/channels/private%2Falerts'],
    ['/api/channels/private/alerts/', '/api/channels/private%2Falerts/'],
    ['/api/channels/public/sport/members?limit=1', '/api/channels/public%2Fsport/members?limit=1'],
    ['/api/channels/private/members/members', '/api/channels/private%2Fmembers/members'],
    ['/api/channels/private/members', '/api/channels/private%2Fmembers'],
  ])('may hold its slash: %s', (url, expected) => {
    expect(joinChannelName(url)).toBe(expected);
  });

  it.each([
    '/api/channels/private',
    '/api/channels/sport/members',
    '/api/channels/private%2Falerts/members',
    '/api/channels/private/a/b',
    '/api/channels?channel=/api/channels/private/a',
    '/api/push/toUsers',
  ])('is left alone elsewhere: %s', (url) => {
    expect(joinChannelName(url)).toBe(url);
  });
});
