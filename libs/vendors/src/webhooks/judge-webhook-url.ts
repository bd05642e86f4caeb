import { assertPublicEndpoint, PlainEndpointError, PrivateAddressError } from '../net/guarded-lookup';

const LONGEST_URL = 2_048;
/** Names that always mean this machine or this network. */
const PRIVATE_NAME = /(^|\.)(localhost|local|internal)\.?$/i;

/**
 * What is wrong with an address that events are to be sent to; null when nothing is. A name is judged again by the address
 * that it leads to, whenever it is connected to.
 */
export function judgeWebhookUrl(
  text: string,
  { allowPrivateEndpoints }: { allowPrivateEndpoints: boolean },
): string | null {
  const url = text.length <= LONGEST_URL && URL.canParse(text) ? new URL(text) : null;
  if (url === null || !/^https?:$/.test(url.protocol)) {
    return `must be an https address of at most ${LONGEST_URL} characters`;
  }
  if (url.username !== '' || url.password !== '') return 'must not hold a user name or password';
  if (url.hash !== '') return 'must not hold a fragment';
  return allowPrivateEndpoints ? null : judgeHost(url);
}

function judgeHost(url: URL): string | null {
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
