import type { FastifyReply, FastifyRequest } from 'fastify';
import { beginAgain } from './begin-again';

describe('a request that meets an erasure', () => {
  const meet = (config: object, error: unknown): { answered: unknown; handled: () => number } => {
    jest.useFakeTimers();
    let calls = 0;
    const routeOptions = { config, handler: () => calls++ };
    const reply = { sent: false, raw: { destroyed: false, setMaxListeners: () => undefined } };
    const request = { routeOptions, facts: {} } as unknown as FastifyRequest;
    const answered = beginAgain(request, reply as unknown as FastifyReply, error);
    jest.runAllTimers();
    jest.useRealTimers();
    return { answered, handled: () => calls };
  };
  const erased = Object.assign(new Error('being erased'), { code: 'PR001' });

  it('begins again', () => {
    const { answered, handled } = meet({}, erased);
    expect([answered, handled()]).toEqual([null, 1]);
  });

  it('is sent again by its caller where its body is an upload, which is read by then', () => {
    const { answered, handled } = meet({ takesUpload: true }, erased);
    expect(answered).toMatchObject({ code: 'UNAVAILABLE', options: { retryAfterSeconds: 5 } });
    expect(handled()).toBe(0);
  });

  it('fails as it failed otherwise', () => {
    const other = new Error('other');
    expect(meet({}, other).answered).toBe(other);
  });
});
