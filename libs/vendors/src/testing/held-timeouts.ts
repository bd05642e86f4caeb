import { setTimeout as pause } from 'node:timers/promises';

/** Timeouts that pass when a test says so. */
interface HeldTimeouts {
  /**
   * Ends those that have begun and were not cleared, in the phase of the event loop in which Node.js runs timers: what is unread in
   * the sockets by then is read after it.
   *
   * @param meanwhile what happens in the time that passes
   */
  pass(meanwhile?: () => void): Promise<void>;
}

/**
 * Holds the timeouts of so many milliseconds, so that a machine that stands still ends none of them. All others are real, also
 * undici's, of which it keeps one for ever: a fake one would stay for the next test file.
 *
 * @param ms longer than any test takes
 */
export function holdTimeouts(ms: number): HeldTimeouts {
  const { setTimeout, clearTimeout } = globalThis;
  const held = new Map<unknown, () => void>();
  const begin = (onOver: () => void, delayMs?: number): NodeJS.Timeout => {
    const timer = setTimeout(onOver, delayMs);
    if (delayMs === ms) held.set(timer, onOver);
    return timer;
  };
  jest.spyOn(globalThis, 'setTimeout').mockImplementation(begin);
  jest.spyOn(globalThis, 'clearTimeout').mockImplementation((timer) => {
    held.delete(timer);
    clearTimeout(timer);
  });
  return {
    pass: async (meanwhile) => {
      await pause(0);
      meanwhile?.();
      for (const [timer, onOver] of [...held]) {
        globalThis.clearTimeout(timer as NodeJS.Timeout);
        onOver();
      }
    },
  };
}
