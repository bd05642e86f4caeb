import { FieldReader, isJsonObject } from '../fields/field-reader';
import { Problems } from '../fields/problems';
import { readMessage } from './read-message';
import { readRecipientOfElement, readRecipients, type RecipientForms } from './read-recipients';
import { checkSteering } from './read-steering';
import type { SendRequest } from './send.request';

/** What a request may hold at most. */
export interface SendLimits {
  maxUsers: number;
  maxMessages: number;
}

/** The messages of a request, and what is wrong with it so far. */
export interface SendReading {
  messages: SendRequest[];
  /** Whether the body was an array (push-api, payload form 3). */
  isBatch: boolean;
  problems: Problems;
}

/**
 * Reads the body of a send in any of its payload forms. Never throws: what is wrong stands in `problems`, all of it, in the
 * caller's own field names; an element of an array by its index (`[3].notification.title`). The rules in `target` and
 * `segment` are left to the segment language.
 */
export function readSend(body: unknown, forms: RecipientForms, limits: SendLimits): SendReading {
  const problems = new Problems(body);
  if (isBatch(body, forms)) {
    const messages = elementsOf(body, limits, problems).flatMap((element, index) =>
      readElement(element, index, forms, problems),
    );
    return { messages, isBatch: true, problems };
  }
  if (!isJsonObject(body)) {
    problems.add('', forms === 'rules' ? 'must be a JSON object' : 'must be a JSON object or an array of objects');
    return { messages: [], isBatch: false, problems };
  }
  const fields = new FieldReader(body, '', problems);
  const message = { ...readMessage(fields), recipients: readRecipients(fields, forms, limits.maxUsers) };
  check(fields, message, forms);
  return { messages: [message], isBatch: false, problems };
}

/** Whether a body is an array of messages, on an endpoint that takes such (push-api, payload form 3). */
export function isBatch(body: unknown, forms: RecipientForms): body is unknown[] {
  return Array.isArray(body) && forms !== 'rules';
}

/** The elements of an array, for `readElement`; none when there are too many or none, which is reported. */
export function elementsOf(
  body: readonly unknown[],
  { maxMessages }: SendLimits,
  problems: Problems,
): readonly unknown[] {
  if (body.length > 0 && body.length <= maxMessages) return body;
  problems.add('', `must be an array of 1 to ${maxMessages} messages`);
  return [];
}

/** Reads one element of an array; none when it is no object, which is reported. */
export function readElement(
  element: unknown,
  index: number,
  forms: RecipientForms,
  problems: Problems,
): [] | [SendRequest] {
  const path = `[${index}]`;
  if (!isJsonObject(element)) {
    problems.add(path, 'must be an object');
    return [];
  }
  const fields = new FieldReader(element, path, problems);
  const message = { ...readMessage(fields), recipients: readRecipientOfElement(fields) };
  check(fields, message, forms);
  return [message];
}

/** Refuses what is no vendor push where only that is sent, and what does not go together. */
function check(fields: FieldReader, message: SendRequest, forms: RecipientForms): void {
  for (const name of ['live', 'inApp'] as const) {
    if (forms === 'either' && message.content[name])
      fields.report(name, 'is not for notifyUsers: that is a vendor push');
  }
  checkSteering(fields, message);
}
