import type { PushVendor } from '@postrider/domain';
import { TemplateFailure } from '../templates/template-failure';
import { VENDOR_LIMITS } from './vendor-limits';

/** What is thrown for a device whose payload came out bigger than its vendor takes. */
export function tooLarge(vendor: PushVendor, bytes: number): TemplateFailure {
  const limit = VENDOR_LIMITS[vendor];
  const reason = `The payload has ${bytes} bytes for this device, ${vendor} takes ${limit} bytes`;
  return new TemplateFailure('payload_too_large', reason);
}
