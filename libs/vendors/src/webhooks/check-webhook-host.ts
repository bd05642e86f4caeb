import { assertPublicEndpoint, PlainEndpointError, PrivateAddressError } from '../net/guarded-lookup';

/** Names that always mean this machine or this network. */
const PRIVATE_NAME = /(^|\.)(localhost|local|internal)\.?$/i;

/**
 * What is wrong with where events are to be sent to, for a deployment that sends to public addresses only; null when nothing is.
 * A name is checked again by the address that it leads to, whenever it is connected to.
 */
export function checkWebhookHost(url: URL): string | null {
  if (PRIVATE_NAME.test(url.hostname)) return 'must not be a private address';
  try {
    assertPublicEndpoint(url);
    return null;
  } catch (error) {
    if (error instanceof PlainEndpointError) return 'must be https';
    if (error instanceof PrivateAddressError) return 'must not be a private address';
    throw error;
  }
}
