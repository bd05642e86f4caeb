/**
 * Why a message could not be made for one device, as its delivery records it: `template_failed` (a template exceeded
 * its limits, or its values do not fit), `link_refused` (a rendered link has a scheme that would run or read something
 * on the device), `payload_too_large` (the vendor would refuse the result).
 */
type TemplateFailureCode = 'template_failed' | 'link_refused' | 'payload_too_large';

/** A message that cannot be made for one device. Only that device fails. */
export class TemplateFailure extends Error {
  constructor(
    readonly code: TemplateFailureCode,
    message: string,
  ) {
    super(message);
    this.name = 'TemplateFailure';
  }
}
