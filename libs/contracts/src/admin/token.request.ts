import { type Scope, SCOPES } from '@postrider/domain';
import { BodyReader } from '../fields/body-reader';

/** The body of `POST apps/:id/tokens`. */
export interface NewTokenRequest {
  name: string;
  scopes: Scope[];
}

/** @throws InvalidRequest naming every bad field */
export function readNewToken(body: unknown): NewTokenRequest {
  const fields = new BodyReader(body);
  fields.require('name', 'scopes');
  const scopes = fields.list<Scope>('scopes', SCOPES.length, (value) => {
    const scope = SCOPES.find((known) => known === value);
    return scope ? { value: scope } : { problem: `must be one of ${SCOPES.join(', ')}` };
  });
  const sent = fields.raw('scopes');
  if (Array.isArray(sent) && sent.length === 0) fields.reject('scopes', 'must name at least one scope');
  const name = fields.name('name');
  fields.finish();
  return { name: name ?? '', scopes: [...new Set(scopes)] };
}
