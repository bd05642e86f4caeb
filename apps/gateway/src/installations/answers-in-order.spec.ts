import type { JsonObject } from '@postrider/domain';
import type { FastifyRequest } from 'fastify';
import { AnswersInOrder, registrantOf } from './answers-in-order.service';

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
  const ask = (work: Promise<string>, from = request(PAGE), rest: JsonObject = {}): Promise<unknown> =>
    answers
      .inOrder('shop', from, registrantOf({ rest }), () => work)
      .then(
        (answer) => said.push(answer),
        (error: unknown) => said.push((error as Error).message),
      );

  beforeEach(() => {
    answers = new AnswersInOrder();
    said = [];
  });

  it('are answered in the order in which they were made, whichever is done first', async () => {
    const [first, second] = [task(), task()];
    const all = [ask(first.promise), ask(second.promise)];
    second.resolve('second');
    await second.promise;
    expect(said).toEqual([]);
    first.resolve('first');
    await Promise.all(all);
    expect(said).toEqual(['first', 'second']);
  });

  it('are answered with the guest before the user, also when the user’s came first', async () => {
    const [guest, user] = [task(), task()];
    const all = [
      ask(user.promise, request(PAGE), { isGuest: false, isLoggedIn: true }),
      ask(guest.promise, request(PAGE), { isGuest: true, isLoggedIn: false }),
    ];
    user.resolve('user');
    await user.promise;
    guest.resolve('guest');
    await Promise.all(all);
    expect(said).toEqual(['guest', 'user']);
  });

  it('of a user whose page has no guest wait for none but a moment', async () => {
    jest.useFakeTimers({ doNotFake: ['setImmediate'] });
    try {
      const signedIn = ask(Promise.resolve('user'), request(PAGE), { isLoggedIn: true });
      await jest.advanceTimersByTimeAsync(200);
      await signedIn;
      expect(said).toEqual(['user']);
    } finally {
      jest.useRealTimers();
    }
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
    jest.useFakeTimers({ doNotFake: ['setImmediate'] });
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
