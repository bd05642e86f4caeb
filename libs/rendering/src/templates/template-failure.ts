/**
 * Why a message could not be made for one device, as its delivery records it: `template_failed` (a template went over its
 * limits, or its values do not fit what it does with them), `link_refused` (a link came out with a scheme that would run or
 * read something on the device), `payload_too_large` (the vendor would not take what came out).
 */
export type TemplateFailureCode = 'template_failed' | 'link_refused' | 'payload_too_large';

/** A message that cannot be made for one device. Costs that device alone. */
export class TemplateFailure extends Error {
  constructor(
    readonly code: TemplateFailureCode,
    message: string,
  ) {
    super(message);
    this.name = 'TemplateFailure';
  }
}
