import { readRequest } from '../validation/read-request';
import { ApplicationChangesRequest } from '../admin/application.request';

function read(frequencyCaps: unknown): { value: unknown; problems: string[] } {
  const { request, problems } = readRequest(ApplicationChangesRequest, { frequencyCaps });
  return { value: request.frequencyCaps, problems: problems.map(({ path, message }) => `${path} ${message}`) };
}

describe('frequency caps in a request', () => {
  it('are read as they are, and taken away by null', () => {
    const caps = [
      { messages: 3, seconds: 86_400 },
      { messages: 100, seconds: 2_592_000 },
    ];
    expect(read(caps)).toEqual({ value: caps, problems: [] });
    expect(read([])).toEqual({ value: [], problems: [] });
    expect(read(null)).toEqual({ value: [], problems: [] });
  });

  it('say at their place what is wrong with them', () => {
    expect(read('often').problems).toEqual([expect.stringMatching(/^frequencyCaps must be a list of caps/)]);
    expect(read(Array.from({ length: 6 }, () => ({ messages: 1, seconds: 1 }))).problems).toEqual([
      'frequencyCaps must have at most 5 caps',
    ]);
    expect(read([{ messages: 0, seconds: 2_592_001 }, 7, { messages: 1, seconds: 1, hours: 1 }]).problems).toEqual([
      expect.stringMatching(/^frequencyCaps\[0\]\.messages must be/),
      expect.stringMatching(/^frequencyCaps\[0\]\.seconds must be/),
      'frequencyCaps[1] must be a JSON object',
      'frequencyCaps[2].hours is not known',
    ]);
    expect(read([{ messages: 1 }]).problems).toEqual([expect.stringMatching(/^frequencyCaps\[0\]\.seconds/)]);
  });
});
