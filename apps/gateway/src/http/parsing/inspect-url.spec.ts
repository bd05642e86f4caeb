import { inspectUrl, querySpellings } from './inspect-url';

describe('the names in a query', () => {
  const spellings = jest.fn(() => querySpellings(['dryRun']));
  const inspect = (url: string, query: object): object[] => inspectUrl({ url, query, route: '/api/tags' }, spellings);

  beforeEach(() => spellings.mockClear());

  it('are compared with ours: one that differs by case only is refused', () => {
    expect(inspect('/api/tags?dryrun=true', { dryrun: 'true' })).toEqual([
      { path: 'dryrun', message: 'is spelled dryRun' },
    ]);
    expect(inspect('/api/tags?dryRun=true&other=1', { dryRun: 'true', other: '1' })).toEqual([]);
  });

  it('are the only ones for which the spellings are read', () => {
    expect([...inspect('/api/tags', {}), ...inspect('/api/tags?', {}), ...inspect('/api/%74ags', {})]).toEqual([]);
    expect(spellings).not.toHaveBeenCalled();
  });
});
