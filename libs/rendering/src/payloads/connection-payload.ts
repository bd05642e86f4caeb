import type { JsonObject } from '@postrider/domain';
import { messageEnvelope } from '../envelope/message-envelope';
import type { RenderingInput } from './rendering-input';

/** The JSON that a device gets over its own connection. */
export function connectionPayload({ message, application, platform }: RenderingInput): JsonObject {
  return messageEnvelope(message, application, platform);
}
