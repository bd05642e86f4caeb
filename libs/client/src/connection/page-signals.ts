/** Something that is listened to. */
interface Signals {
  addEventListener(name: string, listener: () => void): void;
  removeEventListener(name: string, listener: () => void): void;
}

/**
 * Calls `wake` when the page is back: on line, in front, or out of the browser's cache of pages.
 *
 * @returns what ends it; outside a page nothing ever happens
 */
export function onPageBack(wake: () => void): () => void {
  const page = globalThis as unknown as Signals & { document?: Signals & { hidden: boolean } };
  const { document } = page;
  if (!document) return () => undefined;
  const whenVisible = (): void => {
    if (!document.hidden) wake();
  };
  const watched: [Signals, string, () => void][] = [
    [page, 'online', wake],
    [page, 'pageshow', wake],
    [document, 'visibilitychange', whenVisible],
  ];
  for (const [target, name, listener] of watched) target.addEventListener(name, listener);
  return () => {
    for (const [target, name, listener] of watched) target.removeEventListener(name, listener);
  };
}
