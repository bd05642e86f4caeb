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
  const problems = new Problems();
  if (Array.isArray(body) && forms !== 'rules') {
    return { messages: readElements(body, limits, problems), isBatch: true, problems };
  }
  if (!isJsonObject(body)) {
    problems.add('', forms === 'rules' ? 'must be a JSON object' : 'must be a JSON object or an array of objects');
    return { messages: [], isBatch: false, problems };
  }
  const fields = new FieldReader(body, '', problems);
  const message = { ...readMessage(fields), recipients: readRecipients(fields, forms, limits.maxUsers) };
  checkSteering(fields, message);
  return { messages: [message], isBatch: false, problems };
}

function readElements(elements: unknown[], { maxMessages }: SendLimits, problems: Problems): SendRequest[] {
  if (elements.length === 0 || elements.length > maxMessages) {
    problems.add('', `must be an array of 1 to ${maxMessages} messages`);
    return [];
  }
  return elements.flatMap((element, index) => {
    const path = `[${index}]`;
    if (!isJsonObject(element)) {
      problems.add(path, 'must be an object');
      return [];
    }
    const fields = new FieldReader(element, path, problems);
    const message = { ...readMessage(fields), recipients: readRecipientOfElement(fields) };
    checkSteering(fields, message);
    return [message];
  });
}
