import type { ComponentProps, MouseEvent, ReactNode } from 'react';

/** What Mantine gives to the element of a button; `data-loading` while the button waits for an answer. */
type WaitingButtonProps = ComponentProps<'button'> & { 'data-loading'?: boolean };

/**
 * The element of every button. While it waits for an answer it does nothing, but it is not disabled: a disabled element
 * loses the focus, and a person who works with the keyboard, or listens to a screen reader, would begin at the top of the page.
 */
export function WaitingButton({ type = 'button', disabled, onClick, ...props }: WaitingButtonProps): ReactNode {
  const isWaiting = props['data-loading'] === true;
  return (
    <button
      {...props}
      type={type}
      disabled={disabled && !isWaiting}
      aria-disabled={isWaiting || undefined}
      aria-busy={isWaiting || undefined}
      onClick={isWaiting ? ignore : onClick}
    />
  );
}

/** Also the press of Enter in a field of its form ends here. */
function ignore(event: MouseEvent): void {
  event.preventDefault();
}
