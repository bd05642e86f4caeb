import { fieldOf } from '../validation/field';
import { IsName } from '../validation/fields';
import type { Reading } from '../validation/reading';
import { readName } from '../validation/values';

/** The path of what belongs to one user. */
export class UserPath {
  @IsName()
  userId!: string;
}

/** The id of a user who may be made by this request. `*` addresses everybody in a send, so nobody can be called that. */
export function IsUserId(): PropertyDecorator {
  return fieldOf({
    name: 'isUserId',
    read: (value): Reading<string> => (value === '*' ? { problem: 'must not be *' } : readName(value)),
    schema: { type: 'string', minLength: 1, maxLength: 255, not: { enum: ['*'] } },
  });
}
