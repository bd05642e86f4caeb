/** Resolves with the first SIGINT or SIGTERM; a second one ends the process at once. */
export function stopSignal(): Promise<NodeJS.Signals> {
  return new Promise((resolve) => {
    for (const signal of ['SIGINT', 'SIGTERM'] as const) {
      process.on(signal, () => {
        resolve(signal);
        setTimeout(() => process.on(signal, () => process.exit(130)), 500).unref();
      });
    }
  });
}
