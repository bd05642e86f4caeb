/**
 * Moves the focus into the page if it is nowhere, because what had it is gone: a person who works with the keyboard
 * continues there.
 */
export function keepFocus(): void {
  if (isFocusNowhere()) document.getElementById('content')?.focus({ preventScroll: true });
}

/**
 * Moves the focus to an element if it is nowhere: a button that was pressed loses it while it waits for the answer, and
 * the element says what the answer was.
 */
export function focusIfNowhere(element: HTMLElement | null): void {
  if (isFocusNowhere()) element?.focus();
}

function isFocusNowhere(): boolean {
  return document.activeElement === null || document.activeElement === document.body;
}
