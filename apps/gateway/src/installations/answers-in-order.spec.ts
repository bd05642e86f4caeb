import type { FastifyRequest } from 'fastify';
import { AnswersInOrder } from './answers-in-order.service';

const request = (headers: object, ip = '192.0.2.1'): FastifyRequest => ({ headers, ip }) as unknown as FastifyRequest;
const PAGE = { origin: 'https://shop.example', 'user-agent': 'Firefox' };

/** Work that ends when the test says so. */
function task(): { promise: Promise<string>; resolve: (value: string) => void; reject: (error: Error) => void } {
  let resolve!: (value: string) => void;
  let reject!: (error: Error) => void;
  const promise = new Promise<string>((yes, no) => {
    resolve = yes;
    reject = no;
  });
  return { promise, resolve, reject };
}

describe('registrations of one browser', () => {
  let answers: AnswersInOrder;
  let said: string[];
  const ask = (work: Promise<string>, from = request(PAGE)): Promise<unknown> =>
    answers
      .inOrder('shop', from, () => work)
      .then(
        (answer) => said.push(answer),
        (error: unknown) => said.push((error as Error).message),
      );

  beforeEach(() => {
    answers = new AnswersInOrder();
    said = [];
  });

  it('are answered in the order in which they were made, whichever is done first', async () => {
    const [guest, user] = [task(), task()];
    const all = [ask(guest.promise), ask(user.promise)];
    user.resolve('user');
    await user.promise;
    expect(said).toEqual([]);
    guest.resolve('guest');
    await Promise.all(all);
    expect(said).toEqual(['guest', 'user']);
  });

  it('do not wait for one that failed, and fail by themselves', async () => {
    const [first, second] = [task(), task()];
    const all = [ask(first.promise), ask(second.promise)];
    second.reject(new Error('second failed'));
    first.reject(new Error('first failed'));
    await Promise.all(all);
    expect(said).toEqual(['first failed', 'second failed']);
  });

  it('do not wait for those of other browsers, nor devices that are none for anybody', async () => {
    const never = new Promise<string>(() => undefined);
    void ask(never);
    void ask(never, request({}));
    await ask(Promise.resolve('other page'), request({ ...PAGE, origin: 'https://other.example' }));
    await ask(Promise.resolve('other address'), request(PAGE, '192.0.2.2'));
    await ask(Promise.resolve('phone'), request({}));
    expect(said).toEqual(['other page', 'other address', 'phone']);
  });

  it('wait a second at most', async () => {
    jest.useFakeTimers();
    try {
      void ask(new Promise<string>(() => undefined));
      const second = ask(Promise.resolve('second'));
      await jest.advanceTimersByTimeAsync(999);
      expect(said).toEqual([]);
      await jest.advanceTimersByTimeAsync(1);
      await second;
      expect(said).toEqual(['second']);
    } finally {
      jest.useRealTimers();
    }
  });
});
