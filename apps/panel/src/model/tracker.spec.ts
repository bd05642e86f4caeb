import { settingsOf, trackerBody, trackerLink } from './tracker';

describe('a tracker in its form', () => {
  it('is saved as it was read, what is empty taken away', () => {
    const tracker = {
      name: 'Mail',
      deepLink: null,
      destination: 'https://x.example',
      platforms: { ios: 'https://y.example' },
      allowedHosts: ['x.example'],
    };
    expect(trackerBody(settingsOf(tracker))).toEqual(tracker);
    expect(trackerBody({ ...settingsOf(), name: ' A ', destination: ' ' })).toEqual({
      name: 'A',
      deepLink: null,
      destination: null,
      platforms: {},
      allowedHosts: [],
    });
  });
});

describe('a tracker link', () => {
  it('carries links of any script, every part encoded', () => {
    const base = 'https://go.example/t1';
    const link = trackerLink({ base, deepLink: 'shop://چای?a=1&b=#x', redirect: 'https://x.example/?q=a b' });
    const { searchParams } = new URL(link);
    expect(searchParams.get('deep_link')).toBe('shop://چای?a=1&b=#x');
    expect(searchParams.get('redirect')).toBe('https://x.example/?q=a b');
    expect(trackerLink({ base, deepLink: ' ', redirect: '' })).toBe(base);
  });
});
