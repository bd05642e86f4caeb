/**
 * Moves the focus into the page if it is nowhere, because what had it is gone: a person who works with the keyboard
 * continues there.
 */
export function keepFocus(): void {
  if (document.activeElement === null || document.activeElement === document.body)
    document.getElementById('content')?.focus({ preventScroll: true });
}
