import type { JsonObject } from '@postrider/domain';
import { isJsonObject, type FieldReader } from '../fields/field-reader';
import { readName, type Reading } from '../validation/values';
import { readSegmentGroup } from '../segments/rule-group';
import type { SendRecipients } from './send.request';

const EVERYONE = '*';
const BY_RULES = ['target', 'segment'];
const BY_NAME = ['user', 'users', 'fallback', 'clientId'];

/** Which of a message's forms an endpoint takes: named users (`toUsers`), rules (`byQuery`), or either (`notifyUsers`). */
export type RecipientForms = 'named' | 'rules' | 'either';

/** Reads whom a message goes to. A bad or missing recipient reads as no user at all, and is reported. */
export function readRecipients(fields: FieldReader, forms: RecipientForms, maxUsers: number): SendRecipients {
  const namesRules = BY_RULES.some((name) => fields.has(name));
  if (forms === 'rules' || (forms === 'either' && namesRules)) return readRules(fields);
  fields.refuse(BY_RULES, 'is for byQuery: a message goes to users or to a group');
  return readNamed(fields, maxUsers);
}

/** The recipients of an element of an array: one user each (push-api, payload form 3). */
export function readRecipientOfElement(fields: FieldReader): SendRecipients {
  fields.refuse(['users'], 'is not for an element of an array: each names one user');
  fields.refuse(BY_RULES, 'is for byQuery: a message goes to users or to a group');
  return readUser(fields);
}

function readNamed(fields: FieldReader, maxUsers: number): SendRecipients {
  if (!fields.has('users')) return readUser(fields);
  fields.refuse(['user'], 'must not stand beside users');
  return { kind: 'users', userIds: readUsers(fields, maxUsers) };
}

function readUser(fields: FieldReader): SendRecipients {
  const userId = fields.required('user', readName);
  if (userId !== EVERYONE) return { kind: 'users', userIds: userId === undefined ? [] : [userId] };
  fields.refuse(['fallback'], 'is for named users only');
  return { kind: 'everyone' };
}

function readUsers(fields: FieldReader, maxUsers: number): string[] {
  const users = fields.raw('users');
  if (!Array.isArray(users) || users.length === 0 || users.length > maxUsers) {
    fields.report('users', `must be an array of 1 to ${maxUsers} user ids`);
    return [];
  }
  const userIds = new Set<string>();
  users.forEach((user, index) => {
    const reading = readNamedUser(user);
    if ('value' in reading) userIds.add(reading.value);
    else fields.report(`users[${index}]`, reading.problem);
  });
  return [...userIds];
}

function readNamedUser(value: unknown): Reading<string> {
  return value === EVERYONE ? { problem: 'must be a user id: * stands alone in user' } : readName(value);
}

function readRules(fields: FieldReader): SendRecipients {
  fields.refuse(BY_NAME, 'is not for a message to a group');
  if (!BY_RULES.some((name) => fields.has(name))) {
    fields.report('target', 'is required, or segment');
  }
  const target = fields.optional('target', readTarget);
  const segment = fields.optional('segment', readSegmentGroup);
  return { kind: 'rules', ...(target ? { target } : {}), ...(segment ? { segment } : {}) };
}

/** What stands in it is for the segment language to judge. */
function readTarget(value: unknown): Reading<JsonObject> {
  return isJsonObject(value) ? { value } : { problem: 'must be an object' };
}
