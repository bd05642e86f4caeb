import { Readable } from 'node:stream';
import { runInNewContext } from 'node:vm';
import { systemClock } from '@postrider/domain';
import { openFile } from '../imports/open-file';
import { isReadableCoding, storeInPieces, withoutSmallPieces } from './uploads';

const MINUTE_MS = 60_000;

describe('an upload', () => {
  beforeEach(() => {
    jest.useFakeTimers();
  });
  afterEach(() => {
    jest.useRealTimers();
  });

  /** An upload whose sender sends a piece whenever it is told to. */
  function upload(renew: (giveUpAt: Date) => Promise<boolean>) {
    let next: (piece: Buffer | null) => void = () => undefined;
    async function* content(): AsyncGenerator<Buffer, void> {
      for (;;) {
        const piece = await new Promise<Buffer | null>((resolve) => (next = resolve));
        if (piece === null) return;
        yield piece;
      }
    }
    const kept: string[] = [];
    const keep = (piece: Buffer): Promise<void> => Promise.resolve(void kept.push(piece.toString()));
    const bytes = storeInPieces(content(), { size: 2, most: 100, clock: systemClock, renew, keep });
    const send = async (piece: Buffer | null): Promise<void> => {
      await jest.advanceTimersByTimeAsync(0);
      next(piece);
    };
    return { bytes, kept, send };
  }

  it('is renewed ahead of its end while its sender sends nothing, and not after it ended', async () => {
    let giveUpAt = Date.now() + MINUTE_MS;
    let lateRenewals = 0;
    const { bytes, kept, send } = upload((until) => {
      if (Date.now() >= giveUpAt) lateRenewals += 1;
      giveUpAt = until.getTime();
      return Promise.resolve(true);
    });
    await send(Buffer.from('ab'));
    await jest.advanceTimersByTimeAsync(30 * MINUTE_MS);
    expect([lateRenewals, giveUpAt > Date.now()]).toEqual([0, true]);
    await send(Buffer.from('c'));
    await send(null);
    expect([await bytes, kept]).toEqual([3, ['ab', 'c']]);
    expect(jest.getTimerCount()).toBe(0);
  });

  it('goes on when a renewal fails, and ends when it was given up', async () => {
    const renewals = [() => Promise.reject(new Error('the database is away')), () => Promise.resolve(false)];
    const { bytes, kept, send } = upload(() => (renewals.shift() ?? (() => Promise.resolve(false)))());
    const outcome = bytes.catch((error: unknown) => error);
    await jest.advanceTimersByTimeAsync(MINUTE_MS / 4);
    await send(Buffer.from('ab'));
    await jest.advanceTimersByTimeAsync(MINUTE_MS);
    await send(Buffer.from('cd'));
    expect(await outcome).toMatchObject({ code: 'UNAVAILABLE' });
    expect(kept).toEqual(['ab']);
  });
});

describe('the small pieces of an upload', () => {
  it('are joined, so that a file that comes in many of them costs as much as one that comes at once', async () => {
    const pieces = Array.from({ length: 1_500 }, (_, index) => Buffer.alloc(100, index));
    const lengths = [64_600, 64_600, 20_800];
    const joined = (await Readable.from(withoutSmallPieces(Readable.from(pieces))).toArray()) as Buffer[];
    expect(joined.map(({ length }) => length)).toEqual(lengths);
    expect(Buffer.concat(joined).equals(Buffer.concat(pieces))).toBe(true);
    const file = await openFile(Readable.from(pieces), { isPacked: false, most: 1_000_000 });
    const opened = (await Readable.from(file).toArray()) as Buffer[];
    expect(opened.map(({ length }) => length)).toEqual(lengths);
  });

  it('go before the large one that comes next, which is passed on', async () => {
    const pieces = ['a', 'b', 'c'.repeat(2_000), 'd'.repeat(70_000), 'e'].map((text) => Buffer.from(text));
    const passed = (await Readable.from(withoutSmallPieces(Readable.from(pieces))).toArray()) as Buffer[];
    expect(passed.map(({ length }) => length)).toEqual([2_002, 70_000, 1]);
    expect(Buffer.concat(passed).equals(Buffer.concat(pieces))).toBe(true);
  });
});

describe('the header Content-Encoding', () => {
  it.each([
    ['', true, true],
    [' identity ', true, true],
    ['Identity', true, true],
    ['gzip', false, true],
    [' X-GZIP ', false, true],
    ['br', false, false],
    ['gzip, gzip', false, false],
  ])('%j may be read where bodies are not compressed: %s, and where they may be: %s', (coding, plain, packed) => {
    expect([isReadableCoding(coding, false), isReadableCoding(coding, true)]).toEqual([plain, packed]);
  });

  it('is read without blocking the process, whatever blanks it has', () => {
    const read = (): boolean => isReadableCoding(`${'\u00a0'.repeat(1_000_000)}x`, false);
    // The limit only ends what would take hours.
    expect(runInNewContext('read()', { read }, { timeout: 60_000 })).toBe(false);
  });
});
