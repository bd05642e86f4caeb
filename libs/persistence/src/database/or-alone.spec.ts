import type { Logger } from '@postrider/platform';
import { orAlone } from './or-alone';

const work = (error: Error): Promise<readonly (number | null)[]> =>
  orAlone<number, number>('test', () => Promise.reject(error), { warn: () => undefined } as unknown as Logger)([1, 2]);

describe('a batch of requests', () => {
  it('is answered as its work answers it', async () => {
    const double = orAlone<number, number>(
      'test',
      (items) => Promise.resolve(items.map((item) => item * 2)),
      {} as Logger,
    );
    expect(await double([1, 2])).toEqual([2, 4]);
  });

  it('that fails sends everyone away to try alone, unless nobody knows what became of it', async () => {
    expect(await work(Object.assign(new Error('duplicate key'), { code: '23505' }))).toEqual([null, null]);
    await expect(work(new Error('Connection terminated unexpectedly'))).rejects.toThrow('terminated');
  });
});
