import { useRef } from 'react';

/**
 * Makes a function that calls `call` unless a former call of the same key goes on: what a double click does is done once. The
 * `isPending` of a mutation is known with the next rendering only, too late for the second press. A call ends also when the part that
 * made it is hidden by then.
 *
 * @param keyOf what calls may go on at once; left out: none
 */
export function useOneAtATime<Args extends unknown[]>(
  call: (...args: Args) => Promise<unknown>,
  keyOf: (args: Args) => unknown = () => null,
): (...args: Args) => void {
  const running = useRef(new Set<unknown>());
  return (...args) => {
    const key = keyOf(args);
    if (running.current.has(key)) return;
    running.current.add(key);
    const settle = (): void => {
      running.current.delete(key);
    };
    void call(...args).then(settle, settle);
  };
}
