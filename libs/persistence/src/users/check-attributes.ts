import { InvalidRequest, type JsonObject } from '@postrider/domain';

/** What one user or installation may carry: it is read with every send that renders or selects by it. */
const MOST_ATTRIBUTES = 1_000;
const LARGEST_BYTES = 65_536;

/** @returns the attributes @throws InvalidRequest when there are too many, or too large ones */
export function checkAttributes(attributes: JsonObject): JsonObject {
  const isTooMuch = Object.keys(attributes).length > MOST_ATTRIBUTES;
  if (isTooMuch || Buffer.byteLength(JSON.stringify(attributes)) > LARGEST_BYTES) {
    const message = `would be more than ${MOST_ATTRIBUTES} attributes or ${LARGEST_BYTES} bytes of one user`;
    throw new InvalidRequest([{ path: 'attributes', message }]);
  }
  return attributes;
}
