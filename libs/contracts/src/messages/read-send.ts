import { type ErrorDetail, isJsonObject } from '@postrider/domain';
import type { ClassConstructor } from 'class-transformer';
import { readRequest } from '../validation/read-request';
import type { MessageRequest } from './message.request';
import {
  type AnySendRequest,
  PreviewRequest,
  SendToGroupRequest,
  SendToUserRequest,
  SendToUsersRequest,
} from './send.request';
import { type ValidatedSend, sendOf } from './send';
import { UnknownFields } from './unknown-fields';

/**
 * Which forms of a message an endpoint accepts: named users (`toUsers`), rules (`byQuery`), or either (`notifyUsers`).
 */
export type RecipientForms = 'named' | 'rules' | 'either';

/** A message and its problems, in the caller's own field names. Wrong fields are absent from it. */
export interface SendReading {
  /** Null: the body is not an object. */
  message: ValidatedSend | null;
  problems: ErrorDetail[];
}

/**
 * Reads one message of a send as the class of its form. The segment language checks the rules in `target` and `segment`
 * later. Never throws.
 *
 * @param maxUsers the most users in `users`
 */
export function readSend(json: unknown, forms: RecipientForms, maxUsers: number): SendReading {
  const body = isJsonObject(json) ? json : {};
  const isSent = (name: string): boolean => (body[name] ?? undefined) !== undefined;
  if (forms === 'rules' || (forms === 'either' && (isSent('target') || isSent('segment')))) {
    return read(SendToGroupRequest, json, '', forms);
  }
  if (!isSent('users')) {
    const reading = read(SendToUserRequest, json, '', forms);
    return isSent('user') ? reading : { ...reading, problems: reading.problems.map(namingOtherForms(forms)) };
  }
  const reading = read(SendToUsersRequest, json, '', forms);
  if (!Array.isArray(body.users) || body.users.length <= maxUsers) return reading;
  const others = reading.problems.filter(({ path }) => !path.startsWith('users'));
  const problem = { path: 'users', message: `must be an array of 1 to ${maxUsers} user ids` };
  return { ...reading, problems: [...others, problem] };
}

/** The problem of a message that names no recipients, with the other fields that may name them. */
function namingOtherForms(forms: RecipientForms): (problem: ErrorDetail) => ErrorDetail {
  const others = forms === 'either' ? 'users, target or segment' : 'users';
  return (problem) => (problem.path === 'user' ? { ...problem, message: `is required, or ${others}` } : problem);
}

/** Reads one element of an array of messages: each names one user. Never throws. */
export function readSendElement(json: unknown, index: number, forms: RecipientForms): SendReading {
  return read(SendToUserRequest, json, `[${index}]`, forms);
}

/** Reads the body of `preview`: that of a send, with `users` instead of its recipients. Never throws. */
export function readPreview(json: unknown): SendReading {
  return read(PreviewRequest, json, '', 'named');
}

function read(type: ClassConstructor<AnySendRequest>, json: unknown, path: string, forms: RecipientForms): SendReading {
  const { request, problems } = readRequest(type, json, path);
  if (!isJsonObject(json)) return { message: null, problems };
  const unknown = new UnknownFields();
  const message = sendOf(request, json, { path, unknown });
  return { message, problems: [...problems, ...unknown.problems, ...onlyPushed(request, forms, path)] };
}

/** `notifyUsers` sends by vendor push only. */
function onlyPushed(request: MessageRequest, forms: RecipientForms, path: string): ErrorDetail[] {
  if (forms !== 'either') return [];
  const asked = (['live', 'inApp'] as const).filter((name) => request[name] === true);
  const before = path === '' ? '' : `${path}.`;
  return asked.map((name) => ({
    path: `${before}${name}`,
    message: 'is not allowed in notifyUsers, which sends a vendor push',
  }));
}
