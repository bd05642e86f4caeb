/** The nonce under which the page's content security policy lets styles be written; '' where there is none. */
export function styleNonce(): string {
  return document.querySelector<HTMLElement>('meta[property="csp-nonce"]')?.nonce ?? '';
}
