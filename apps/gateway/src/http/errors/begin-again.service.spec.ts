import type { ErasuresRepository } from '@postrider/persistence';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { BeginAgain } from './begin-again.service';

describe('a request that meets an erasure', () => {
  const erased = Object.assign(new Error('being erased'), { code: 'PR001' });
  let inForce: string[];
  let looks: number;
  let beginAgain: BeginAgain;

  beforeEach(() => {
    jest.useFakeTimers();
    inForce = ['one'];
    looks = 0;
    const findInForce: ErasuresRepository['findInForce'] = ([appId = '']) => {
      looks += 1;
      return Promise.resolve(inForce.map((erasureId) => ({ appId, erasureId })));
    };
    beginAgain = new BeginAgain({ findInForce } as ErasuresRepository);
  });
  afterEach(() => jest.useRealTimers());

  interface Met {
    answered: unknown;
    calls: number;
    failed: unknown[];
  }
  const meet = (error: unknown, config: object = {}): Met => {
    const met: Met = { answered: undefined, calls: 0, failed: [] };
    const routeOptions = { config, handler: () => (met.calls += 1) };
    const reply = { sent: false, raw: { destroyed: false, setMaxListeners: () => undefined } };
    const request = { routeOptions, facts: { appId: 'shop' } } as unknown as FastifyRequest;
    met.answered = beginAgain.after(request, reply as unknown as FastifyReply, error, (late) => met.failed.push(late));
    return met;
  };
  const secondsPass = (seconds: number): Promise<void> => jest.advanceTimersByTimeAsync(seconds * 1_000);

  it('begins again when the erasure has ended, and does nothing until then', async () => {
    const met = meet(erased);
    await secondsPass(3);
    expect(met).toEqual({ answered: null, calls: 0, failed: [] });
    inForce = ['another that began later'];
    await secondsPass(1);
    expect(met).toEqual({ answered: null, calls: 1, failed: [] });
  });

  it('looks once for all that wait', async () => {
    const waiting = Array.from({ length: 100 }, () => meet(erased));
    await secondsPass(2);
    expect(looks).toBeLessThan(12);
    inForce = [];
    await secondsPass(1);
    expect(waiting.map(({ calls }) => calls)).toEqual(waiting.map(() => 1));
  });

  it('fails when the erasure takes very long', async () => {
    const met = meet(erased);
    await secondsPass(20);
    expect(met).toMatchObject({ calls: 0, failed: [{ code: 'UNAVAILABLE', options: { retryAfterSeconds: 5 } }] });
  });

  it('is sent again by its caller where its body is an upload, which is read by then', async () => {
    const met = meet(erased, { takesUpload: true });
    inForce = [];
    await secondsPass(20);
    expect(met).toMatchObject({
      answered: { code: 'UNAVAILABLE', options: { retryAfterSeconds: 5 } },
      calls: 0,
      failed: [],
    });
  });

  it('fails as it failed otherwise', () => {
    const other = new Error('other');
    expect(meet(other).answered).toBe(other);
  });
});
