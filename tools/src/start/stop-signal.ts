/**
 * Resolves with the first SIGINT (Ctrl-C), SIGTERM or SIGHUP (the terminal is closed); a second one ends the process at once.
 * With the terminal gone nothing can be printed, which is no reason to stop half way.
 */
export function stopSignal(): Promise<NodeJS.Signals> {
  return new Promise((resolve) => {
    for (const stream of [process.stdout, process.stderr]) stream.on('error', () => undefined);
    for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) {
      process.on(signal, () => {
        resolve(signal);
        setTimeout(() => process.on(signal, () => process.exit(130)), 500).unref();
      });
    }
  });
}
