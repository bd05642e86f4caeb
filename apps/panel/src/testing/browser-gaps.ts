import { configure } from '@testing-library/react';

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

// Only ends a test that hangs: a loaded machine must not fail one.
configure({ asyncUtilTimeout: 60_000 });
