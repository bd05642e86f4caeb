import { setImmediate as nextTurn } from 'node:timers/promises';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { withTimeLimit } from './time-limit';

/** Resolves when the signal aborts. */
function aborted(signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => signal.addEventListener('abort', () => resolve()));
}

describe('a signal with a time limit', () => {
  it('aborts after its time, although the garbage collector has run', async () => {
    setFlagsFromString('--expose_gc');
    const collectGarbage = runInNewContext('gc') as () => void;
    const callers = new AbortController();
    // A timer keeps Jest's process alive until the limit is over.
    const alive = setInterval(() => undefined, 1_000);
    const isOver = aborted(withTimeLimit(callers.signal, 200));
    // What a turn has made lives until it ends.
    await nextTurn();
    collectGarbage();
    await isOver;
    clearInterval(alive);
    expect(callers.signal.aborted).toBe(false);
  });

  it('aborts with the signal that it limits', () => {
    const callers = new AbortController();
    const limited = withTimeLimit(callers.signal, 60_000);
    expect(limited.aborted).toBe(false);
    callers.abort();
    expect(limited.aborted).toBe(true);
  });
});
