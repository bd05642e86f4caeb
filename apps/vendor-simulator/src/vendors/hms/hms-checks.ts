import { violationsOf } from '../../shape/violations';
import { HMS_SEND_REQUEST } from './hms-message.shape';

const MAX_BODY_BYTES = 4_096;
const MAX_TOKENS = 1_000;
const MAX_TTL_SECONDS = 1_296_000;

/** The parts of a message that the checks look at, once its shape is known to be right. */
export interface HmsMessage {
  token?: string[];
  topic?: string;
  condition?: string;
  data?: string;
  notification?: { title: string; body: string };
  android?: {
    ttl?: string;
    data?: string;
    notification?: { title?: string; body?: string; click_action: { type: number } & Record<string, unknown> };
  };
}

/** A refusal by its code, with the sentence that explains it. */
interface HmsProblem {
  code: string;
  message: string;
}

/** Finds what Push Kit would refuse in a request body. */
export function hmsProblem(request: unknown): HmsProblem | undefined {
  const [violation] = violationsOf(HMS_SEND_REQUEST, request, '');
  if (violation !== undefined) {
    const place = [violation.field, violation.name].filter((part) => part !== undefined && part !== '').join('.');
    return { code: '80100003', message: `Illegal payload: ${place} ${violation.expected ?? violation.kind}` };
  }
  const { message } = request as { message: HmsMessage };
  return (
    targetProblem(message) ??
    contentProblem(message) ??
    emptyProblem(message) ??
    sizeProblem(request as { message: HmsMessage })
  );
}

function targetProblem({ token, topic, condition }: HmsMessage): HmsProblem | undefined {
  const given = [token, topic, condition].filter((target) => target !== undefined).length;
  if (given !== 1) return { code: '80100003', message: 'Exactly one of token, topic and condition must be given' };
  if (token !== undefined && (token.length === 0 || token.length > MAX_TOKENS)) {
    return { code: '80300010', message: `The number of tokens must be from 1 to ${MAX_TOKENS}` };
  }
  return undefined;
}

function contentProblem({ android, notification }: HmsMessage): HmsProblem | undefined {
  if (android?.ttl !== undefined && parseInt(android.ttl, 10) > MAX_TTL_SECONDS) {
    return { code: '80100004', message: 'ttl must be 15 days at most' };
  }
  if (android?.notification === undefined) {
    // A notification is shown from android.notification, in which click_action is mandatory.
    return notification && { code: '80100003', message: 'android.notification.click_action is missing' };
  }
  const { title, body, click_action: click } = { ...notification, ...android.notification };
  if (title === undefined || body === undefined) {
    return { code: '80100003', message: 'A notification needs a title and a body' };
  }
  return clickProblem(click);
}

function emptyProblem({ data, notification, android }: HmsMessage): HmsProblem | undefined {
  const isEmpty = [data, notification, android?.data, android?.notification].every((part) => part === undefined);
  return isEmpty ? { code: '80100003', message: 'A message needs data or a notification' } : undefined;
}

function clickProblem(click: { type: number } & Record<string, unknown>): HmsProblem | undefined {
  if (click.type === 1 && click.intent === undefined && click.action === undefined) {
    return { code: '80100003', message: 'click_action of type 1 needs intent or action' };
  }
  return click.type === 2 && click.url === undefined
    ? { code: '80100003', message: 'click_action of type 2 needs url' }
    : undefined;
}

function sizeProblem(request: { message: HmsMessage }): HmsProblem | undefined {
  const withoutTokens = { ...request, message: { ...request.message, token: undefined } };
  return Buffer.byteLength(JSON.stringify(withoutTokens)) > MAX_BODY_BYTES
    ? { code: '80300008', message: 'The message body is larger than 4096 bytes' }
    : undefined;
}
