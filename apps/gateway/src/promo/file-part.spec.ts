import { Readable } from 'node:stream';
import { InvalidRequest } from '@postrider/domain';
import { readFilePart } from './file-part';

const HEADERS = { 'content-type': 'multipart/form-data; boundary=cut' };
const WHOLE =
  '--cut\r\nContent-Disposition: form-data; name="note"\r\n\r\nhi\r\n' +
  '--cut\r\nContent-Disposition: form-data; name="file"; filename="codes.csv"\r\nContent-Type: text/csv\r\n\r\n' +
  'CODE-1\r\nCODE-2\r\n--cu not the end\r\n--cut--\r\n';

const turn = (): Promise<void> => new Promise((next) => setImmediate(next));

/** Reads a body that arrives in segments of `size` bytes: returns the part's text, or the error. */
async function read(body: string, size: number, { isSlow = false } = {}): Promise<unknown> {
  const segments = body.match(new RegExp(`[^]{1,${size}}`, 'g')) ?? [];
  async function* arriving(): AsyncGenerator<Buffer> {
    for (const each of segments) {
      yield Buffer.from(each);
      if (!isSlow) await turn();
    }
  }
  let text = '';
  try {
    for await (const bytes of readFilePart(HEADERS, Readable.from(arriving()))) {
      text += bytes.toString();
      if (isSlow) for (let turns = 0; turns < 3; turns++) await turn();
    }
    return text;
  } catch (error) {
    return error;
  }
}

describe('the file of a form', () => {
  it.each([1, 2, 3, 7, 64, 1_000])('is read whole from segments of %i bytes', async (size) => {
    expect(await read(WHOLE, size)).toBe('CODE-1\r\nCODE-2\r\n--cu not the end');
  });

  it('is refused as a bad request wherever the form ends early, however it is cut into segments', async () => {
    const end = WHOLE.lastIndexOf('--cut') + '--cut--'.length;
    for (let length = 0; length < end; length++) {
      for (const size of [5, 50, 1_000]) {
        for (const isSlow of [true, false]) {
          const outcome = await read(WHOLE.slice(0, length), size, { isSlow });
          expect([length, size, outcome]).toEqual([length, size, expect.any(InvalidRequest)]);
        }
      }
    }
  });
});
