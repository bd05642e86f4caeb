import { createLogger } from '../logging/logger';
import { repeat } from './repeat';

describe('a repeated turn', () => {
  const logger = createLogger('test', { logLevel: 'silent', logFormat: 'json' });

  it('is taken again at once while there is more to do, survives failures, and ends with the process', async () => {
    const stopping = new AbortController();
    const failures = jest.spyOn(logger, 'error');
    const turns: (() => boolean)[] = [
      () => true,
      () => {
        throw new Error('the database is away');
      },
      () => {
        throw new Error('still');
      },
      () => {
        stopping.abort();
        return false;
      },
    ];
    let taken = 0;
    const turn = (): Promise<boolean> => Promise.resolve().then(() => turns[taken++]!());
    await repeat({ name: 'test', intervalMs: 1, turn, signal: stopping.signal, logger });
    expect(taken).toBe(4);
    expect(failures).toHaveBeenCalledTimes(1);
  });
});
