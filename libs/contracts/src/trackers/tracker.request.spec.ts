import { readRequest } from '../validation/read-request';
import { NewTrackerRequest, saidFields, TrackerChangesRequest } from './tracker.request';

describe('a change of a tracker', () => {
  it('leaves alone what it does not name, and takes away what is null or empty', () => {
    const { request, problems } = readRequest(TrackerChangesRequest, {
      name: null,
      deepLink: null,
      destination: '',
      platforms: null,
      allowedHosts: null,
    });
    expect(problems).toEqual([]);
    expect(saidFields(request)).toStrictEqual({ deepLink: null, destination: null, platforms: {}, allowedHosts: [] });
  });

  it('names every bad link and host', () => {
    const { problems } = readRequest(NewTrackerRequest, {
      redirect: 5,
      platforms: { ios: 5, web: null, palm: 'https://x.example', none: null },
      allowedHosts: ['shop.example', 5],
    });
    expect(problems.map(({ path }) => path).sort()).toEqual([
      'allowedHosts[1]',
      'name',
      'platforms.ios',
      'platforms.palm',
      'redirect',
    ]);
  });
});
