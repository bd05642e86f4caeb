import type { PushVendor, VendorPayload } from '@postrider/domain';
import { TemplateFailure } from '../templates/template-failure';
import { measurePayload } from './measure-payload';
import { VENDOR_LIMITS } from './vendor-limits';

/** What is thrown for a device whose payload came out bigger than its vendor takes. */
export function tooLarge(vendor: PushVendor, bytes: number): TemplateFailure {
  const limit = VENDOR_LIMITS[vendor];
  const reason = `The payload has ${bytes} bytes for this device, ${vendor} takes ${limit} bytes`;
  return new TemplateFailure('payload_too_large', reason);
}

/** @throws TemplateFailure `payload_too_large` when the vendor would not take the payload */
export function checkPayloadSize(payload: VendorPayload): void {
  const bytes = measurePayload(payload);
  if (bytes > VENDOR_LIMITS[payload.vendor]) throw tooLarge(payload.vendor, bytes);
}
