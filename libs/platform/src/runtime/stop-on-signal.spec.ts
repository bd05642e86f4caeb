import { createLogger } from '../logging/logger';
import { Shutdown } from '../shutdown/shutdown';
import { stopOnSignal } from './stop-on-signal';

const logger = createLogger('test', { logLevel: 'silent', logFormat: 'json' });

/** A process whose work ends when `finish` is called; resolves with its exit code. */
function runningProcess(): {
  shutdown: Shutdown;
  steps: string[];
  finish: (error?: Error) => void;
  exited: Promise<number>;
} {
  const shutdown = new Shutdown();
  const steps: string[] = [];
  let finish: (error?: Error) => void = () => undefined;
  const closed = new Promise<void>((resolve, reject) => (finish = (error) => (error ? reject(error) : resolve())));
  const exited = new Promise<number>((resolve) => {
    jest.spyOn(process, 'exit').mockImplementation((code) => {
      resolve(Number(code));
      return undefined as never;
    });
  });
  const context = { close: () => closed.then(() => void steps.push('app closed')) };
  const health = { close: () => Promise.resolve(void steps.push('health server closed')) };
  stopOnSignal({ context, health, logger, shutdown });
  return { shutdown, steps, finish, exited };
}

describe('a process that is told to stop', () => {
  // A limit that is still running when its test is over must not end the test run.
  beforeEach(() => jest.useFakeTimers());

  afterEach(() => {
    process.removeAllListeners('SIGTERM').removeAllListeners('SIGINT');
    jest.restoreAllMocks();
    jest.useRealTimers();
  });

  it('begins its shutdown at once, finishes its work, answers health to the end, and exits 0', async () => {
    const { shutdown, steps, finish, exited } = runningProcess();
    process.emit('SIGTERM');
    expect(shutdown.isShuttingDown).toBe(true);
    finish();
    expect(await exited).toBe(0);
    expect(steps).toEqual(['app closed', 'health server closed']);
  });

  it('exits at once on the second signal', async () => {
    const { steps, exited } = runningProcess();
    process.emit('SIGINT');
    process.emit('SIGTERM');
    expect(await exited).toBe(1);
    expect(steps).toEqual([]);
  });

  it('exits 1 when closing fails', async () => {
    const { finish, exited } = runningProcess();
    process.emit('SIGTERM');
    finish(new Error('pool is gone'));
    expect(await exited).toBe(1);
  });

  it('exits 1 after 20 seconds, whatever hangs', async () => {
    const { exited } = runningProcess();
    process.emit('SIGTERM');
    jest.advanceTimersByTime(20_000);
    expect(await exited).toBe(1);
  });
});
