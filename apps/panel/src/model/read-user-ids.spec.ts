import fc from 'fast-check';
import { readUserIds, type UserIdsReading } from './read-user-ids';

async function* inPieces(bytes: Uint8Array, size: number): AsyncGenerator<Uint8Array> {
  for (let at = 0; at < bytes.length; at += size) yield await Promise.resolve(bytes.subarray(at, at + size));
}

const read = (text: string, size = 1_000): Promise<UserIdsReading> =>
  readUserIds(inPieces(new TextEncoder().encode(text), size));

describe('a file of user ids', () => {
  it('is read whatever its line ends, quotes, blank lines and header', async () => {
    expect(await read('\uFEFFuser_id\r\nada\r\n\r\n "omid" \n"a ""b"", c"\rada\n')).toEqual({
      kind: 'read',
      userIds: ['ada', 'omid', 'a "b", c'],
      duplicates: 1,
    });
  });

  it('is the same however the bytes arrive', async () => {
    const ids = fc.uniqueArray(
      fc.string({ minLength: 1, maxLength: 8, unit: fc.constantFrom('a', 'b', 'é', '۱', '🙂') }),
      { minLength: 1 },
    );
    await fc.assert(
      fc.asyncProperty(
        ids,
        fc.integer({ min: 1, max: 7 }),
        fc.constantFrom('\n', '\r\n', '\r'),
        async (some, size, end) => {
          const reading = await read(some.join(end), size);
          expect(reading).toEqual({ kind: 'read', userIds: some.map((id) => id.normalize('NFC')), duplicates: 0 });
        },
      ),
    );
  });

  it('is refused with the lines that are wrong', async () => {
    expect(await read(`ada\nomid,gold\n*\n${'x'.repeat(256)}\n`)).toEqual({
      kind: 'refused',
      problems: [
        { line: 2, message: 'Line 2 has more than one column' },
        { line: 3, message: 'Line 3 contains *, which means everyone and is not a user id' },
        { line: 4, message: 'Line 4 is not a user id, which has 1 to 255 characters' },
      ],
    });
  });

  it('is refused when it is empty, no text, or one endless line', async () => {
    expect(await read('\n \n')).toMatchObject({
      kind: 'refused',
      problems: [{ message: 'The file holds no user id' }],
    });
    expect(await readUserIds(inPieces(new Uint8Array([97, 10, 255, 254]), 2))).toMatchObject({
      problems: [{ line: 2, message: expect.stringContaining('UTF-8') }],
    });
    expect(await read('x'.repeat(10_000))).toMatchObject({
      problems: [{ line: 1, message: expect.stringContaining('too long') }],
    });
  });

  it('stops at the user who is one too many, and after twenty bad lines', async () => {
    const many = Array.from({ length: 100_002 }, (_, index) => `u${index}`).join('\n');
    expect(await read(many, 65_536)).toMatchObject({
      problems: [{ line: 100_001, message: expect.stringContaining('at most 100,000') }],
    });
    const bad = await read('a,b\n'.repeat(1_000), 65_536);
    expect(bad.kind === 'refused' && bad.problems.length).toBe(20);
  });
});
