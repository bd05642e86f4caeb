import { normaliseName } from '@postrider/domain';
import { BodyReader } from '../fields/body-reader';
import { type AttributeValue, readAttributeValue } from './attribute-value';
import { LONGEST_HASH } from './device-token.request';

/** How many attributes one request may name. */
const MOST = 200;

/** The body of `POST installations/attributes`: attributes of a user or of one installation. */
export interface AttributesRequest {
  userId: string | null;
  installationId: string | null;
  attributes: Record<string, AttributeValue>;
}

/** The body of `POST installations/incrementAttribute`. */
export interface IncrementRequest {
  installationId: string;
  increments: { attribute: string; value: number }[];
}

/** @throws InvalidRequest naming every bad field */
export function readAttributes(body: unknown): AttributesRequest {
  const fields = new BodyReader(body);
  fields.require('attributes');
  const request = {
    userId: fields.name('userId'),
    installationId: fields.name('installationId'),
    attributes: readAttributeMap(fields, 'attributes'),
  };
  if ((request.userId === null) === (request.installationId === null)) {
    fields.reject('userId', 'is required, or installationId, but not both');
  }
  if (request.userId === '*') fields.reject('userId', 'must not be *');
  fields.finish();
  return request;
}

/** @throws InvalidRequest naming every bad field */
export function readIncrement(body: unknown): IncrementRequest {
  const fields = new BodyReader(body);
  fields.require('attributes');
  const increments = fields.list('attributes', MOST, (value, path) => {
    const increment = new BodyReader(value, path, fields.problems);
    increment.require('value');
    const number = increment.number('value', -Number.MAX_VALUE, Number.MAX_VALUE);
    return { value: { attribute: increment.requiredName('attribute'), value: number ?? 0 } };
  });
  fields.text('userHash', LONGEST_HASH);
  const request = { installationId: fields.requiredName('installationId'), increments: increments ?? [] };
  fields.finish();
  return request;
}

/** Reads an object of attributes by name. Names are kept in NFC; a dot in a name is part of it. */
export function readAttributeMap(fields: BodyReader, name: string): Record<string, AttributeValue> {
  const value = fields.raw(name);
  if (value === undefined) return {};
  const map = new BodyReader(value, name, fields.problems);
  const names = map.names();
  if (names.length > MOST) fields.reject(name, `must not name more than ${MOST} attributes`);
  const entries = names.map((key): [string, AttributeValue] => {
    const attribute = normaliseName(key);
    if (attribute === null) map.reject(key, 'must be named by 1 to 255 characters');
    return [attribute ?? key, map.optional(key, readAttributeValue)];
  });
  return Object.fromEntries(entries);
}
