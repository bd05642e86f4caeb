import { configure, getConfig } from '@testing-library/react';

/** jsdom lays nothing out: every element is this high, so that a list shows as many rows as fit into a window. */
const HEIGHT = 58;

Object.defineProperty(HTMLElement.prototype, 'offsetHeight', { configurable: true, get: () => HEIGHT });
Object.assign(Element.prototype, { scrollIntoView: () => undefined });
Object.assign(window, {
  matchMedia: (media: string) => ({
    media,
    matches: false,
    addEventListener: () => undefined,
    removeEventListener: () => undefined,
  }),
  ResizeObserver: class {
    observe(): void {}
    unobserve(): void {}
    disconnect(): void {}
  },
  scrollTo: () => undefined,
});
Object.defineProperty(document, 'fonts', {
  value: { addEventListener: () => undefined, removeEventListener: () => undefined },
});

const { getElementError } = getConfig();

configure({
  // Only ends a test that hangs: a loaded machine must not fail one.
  asyncUtilTimeout: 60_000,
  // A look that is repeated until it finds something writes down the whole page each time. Only the last one is reported, for
  // which the library asks for the page again.
  getElementError: (message, container) =>
    isRepeated()
      ? Object.assign(new Error(message ?? ''), { name: 'TestingLibraryElementError' })
      : getElementError(message, container),
});

/** Whether the library is about to look again: it says so to itself, and leaves explanations out then. */
function isRepeated(): boolean {
  return Reflect.get(getConfig(), '_disableExpensiveErrorDiagnostics') === true;
}
