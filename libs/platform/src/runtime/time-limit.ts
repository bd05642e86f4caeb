/**
 * A signal that aborts when another one does, or after a time. Node.js 20 loses `AbortSignal.timeout` inside of
 * `AbortSignal.any`: the garbage collector takes it, and nothing is aborted. A timer keeps what it calls.
 */
export function withTimeLimit(signal: AbortSignal, limitMs: number): AbortSignal {
  const limit = new AbortController();
  setTimeout(() => limit.abort(), limitMs).unref();
  return AbortSignal.any([signal, limit.signal]);
}
