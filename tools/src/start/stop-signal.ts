/**
 * Resolves with the first SIGINT (Ctrl-C), SIGTERM or SIGHUP (the terminal is closed); a second one ends the process at
 * once. Without the terminal nothing can be printed, but the stop continues.
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
