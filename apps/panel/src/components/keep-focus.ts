/**
 * Moves the focus into the page if it is nowhere, because what had it is gone: a person who works with the keyboard
 * continues there.
 */
export function keepFocus(): void {
  if (isFocusNowhere()) document.getElementById('content')?.focus({ preventScroll: true });
}

/**
 * Moves the focus to an element if it is nowhere: a button that was pressed loses it if the answer disables it, and the
 * element says what the answer was.
 */
export function focusIfNowhere(element: HTMLElement | null): void {
  if (isFocusNowhere()) element?.focus();
}

/**
 * Moves the focus from the button that has sent a form to the first field that has a problem. A person who is in a field
 * by then stays there.
 */
export function focusProblem(form: HTMLFormElement | null): void {
  if (!isFocusNowhere() && !(document.activeElement instanceof HTMLButtonElement)) return;
  form?.querySelector<HTMLElement>('[aria-invalid="true"]')?.focus();
}

/** Sends a form. Problems that are found before anything is sent are shown by the next frame, which gives them the focus. */
export function submitAndFocus({ currentTarget }: { currentTarget: HTMLFormElement }, submit: () => void): void {
  submit();
  requestAnimationFrame(() => focusProblem(currentTarget));
}

/**
 * Moves the focus to the first field of a part of the page that has a problem, once the problem is shown; also from another field: a
 * person who does not see the part would not know that it kept the form from being sent.
 */
export function focusFirstProblem(part: HTMLElement | null): void {
  requestAnimationFrame(() => part?.querySelector<HTMLElement>('[aria-invalid="true"]')?.focus());
}

/** Marks a button that adds a part to those of its group or form. */
export const ADDS = { 'data-adds': true };

/**
 * Removes the part that a pressed button belongs to. The button is gone with it, so the focus moves to the one that adds a part: a
 * person who works with the keyboard continues there.
 */
export function removeAndFocus({ currentTarget }: { currentTarget: Element }, remove: () => void): void {
  const around: Element[] = [];
  for (let at = currentTarget.parentElement; at !== null; at = at.parentElement) {
    if (at.matches('[role="group"], form, section')) around.push(at);
  }
  remove();
  requestAnimationFrame(() => {
    const left = around.filter((element) => element.isConnected);
    // Those of the parts come before that of the whole.
    const adding = left.flatMap((element) => [...element.querySelectorAll<HTMLElement>('[data-adds]')].slice(-1));
    focusIfNowhere(adding[0] ?? null);
  });
}

/** Browsers take the focus from an element that becomes disabled, but only when they draw the page next. */
function isFocusNowhere(): boolean {
  const { activeElement } = document;
  return activeElement === null || activeElement === document.body || activeElement.matches(':disabled');
}
