import type { TextWarningResponse, ValidatedSend } from '@postrider/contracts';
import type { JsonObject } from '@postrider/domain';
import { sendWarnings } from '@postrider/rendering';

/** The messages of a request, and its body as it was parsed. */
interface ReadRequest {
  messages: readonly ValidatedSend[];
  body: unknown;
}

/**
 * Returns the probable mistakes in a request: in its texts and variables, and a fallback that can never be sent; nothing
 * if there are none.
 * @throws Error if there is no sandbox
 */
export async function warningsOf({ messages, body }: ReadRequest): Promise<{ warnings?: TextWarningResponse[] }> {
  const bodies: readonly unknown[] = Array.isArray(body) ? body : [body];
  const asked = messages.map(({ content, path }, place) => ({ content, path, given: namesIn(bodies[place]) }));
  const warnings = [...(await sendWarnings(asked)), ...messages.flatMap(lateFallback)];
  return warnings.length === 0 ? {} : { warnings };
}

/** The names of the variables that a message had when it came: without the defaults of its template. */
function namesIn(message: unknown): string[] {
  const variables = (message as JsonObject | null | undefined)?.variables;
  return typeof variables === 'object' && variables !== null ? Object.keys(variables) : [];
}

/** An SMS is not sent after its message has expired. */
function lateFallback({ content: { fallback }, ttlSeconds, path }: ValidatedSend): TextWarningResponse[] {
  if (fallback === undefined || fallback.delaySeconds < ttlSeconds) return [];
  const message = 'is not less than ttl: the message expires before the SMS may be sent';
  return [{ path: path === '' ? 'fallback.delay' : `${path}.fallback.delay`, message }];
}
