import { type BodyRules, parseJsonBody } from '@postrider/contracts';
import { type ErrorDetail, InvalidRequest, type JsonObject } from '@postrider/domain';

/**
 * Reads the payload of a client's PUBLISH by the rules that hold for the body of a request.
 *
 * @throws InvalidRequest that names what is wrong
 */
export function readPayload(payload: Buffer, rules?: BodyRules): JsonObject {
  const value = parseJsonBody(payload, rules) ?? {};
  if (typeof value !== 'object' || Array.isArray(value)) {
    throw new InvalidRequest([{ path: '', message: 'must be a JSON object' }]);
  }
  return value as JsonObject;
}

/** Why a publish was refused, in one line. */
export function reasonOf(message: string | undefined, details: readonly ErrorDetail[] = []): string {
  return [message, ...details.map(({ path, message: problem }) => `${path} ${problem}`.trim())]
    .filter(Boolean)
    .join('; ');
}
