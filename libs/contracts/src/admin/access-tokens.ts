import { type Scope, SCOPES } from '@postrider/domain';
import { IdField, TextField, TimeField, WordsField } from '../validation/answers';
import { IsListOf, IsName } from '../validation/fields';
import type { Reading } from '../validation/values';

/** The body of `POST apps/:id/tokens`. */
export class NewTokenRequest {
  @IsName() name!: string;

  @IsListOf(readScope, { items: { type: 'string', enum: [...SCOPES] }, min: 1, max: SCOPES.length, isSet: true })
  scopes!: Scope[];
}

/** A new token, shown this once. */
export class NewTokenResponse {
  @IdField() id!: string;
  @TextField({ description: 'shown only once' }) token!: string;
}

/** A token as an operator sees it: never the token itself. */
export class TokenResponse {
  @IdField() id!: string;
  @TextField() name!: string;
  @WordsField(SCOPES) scopes!: Scope[];
  @TimeField() createdAt!: string;
}

function readScope(value: unknown): Reading<Scope> {
  const scope = SCOPES.find((known) => known === value);
  return scope ? { value: scope } : { problem: `must be one of ${SCOPES.join(', ')}` };
}
