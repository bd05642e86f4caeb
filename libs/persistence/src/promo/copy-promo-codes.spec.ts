import { Writable } from 'node:stream';
import type { Executor } from '../database/executor';
import { copyPromoCodes } from './copy-promo-codes';
import { PROMO_BLOCK_CODES } from './promo-set';

const BLOCK = Array.from({ length: PROMO_BLOCK_CODES }, (_, place) => `CODE-${place}`);

/** A transaction whose COPY goes to `stream`. */
function transactionTo(stream: Writable): Executor {
  const client = { query: () => stream, connection: { stream } };
  return { queryRunner: { connect: () => Promise.resolve(client) } } as unknown as Executor;
}

describe('a COPY of promo codes', () => {
  it('listens to its stream no more once a wait for it is over, however often it waits', async () => {
    const rows: string[] = [];
    const stream = new Writable({
      highWaterMark: 1,
      write: (row: Buffer, _encoding, done) => {
        rows.push(String(row));
        setImmediate(done);
      },
    });
    const writer = await copyPromoCodes(transactionTo(stream), { appId: 'shop', setId: 'one' }, 0);
    const listeners = (): number[] => ['error', 'close', 'drain'].map((event) => stream.listenerCount(event));
    const before = listeners();
    for (let block = 0; block < 20; block++) await writer.write(BLOCK);
    expect(listeners()).toEqual(before);
    expect(await writer.end()).toBe(20);
    expect(rows).toHaveLength(20);
  });

  it('fails when its stream ends while it waits, with an error or without one', async () => {
    for (const error of [undefined, new Error('cut')]) {
      const stream = new Writable({ highWaterMark: 1, write: () => setImmediate(() => stream.destroy(error)) });
      const writer = await copyPromoCodes(transactionTo(stream), { appId: 'shop', setId: 'one' }, 0);
      await expect(writer.write(BLOCK)).rejects.toThrow(error?.message ?? 'The COPY was broken off');
      await expect(writer.write(BLOCK)).rejects.toThrow(error?.message ?? 'The COPY was broken off');
    }
  });
});
