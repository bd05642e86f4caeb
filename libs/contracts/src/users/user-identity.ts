import { fieldOf } from '../validation/field';
import { IsName, IsText } from '../validation/fields';
import type { Reading } from '../validation/reading';
import { readName } from '../validation/values';

/** The path of what belongs to one user. */
export class UserPath {
  @IsName() userId!: string;
}

/** The id of a user who may be made by this request. `*` addresses everybody in a send, so nobody can be called that. */
export function IsUserId(): PropertyDecorator {
  return fieldOf({
    name: 'isUserId',
    read: (value): Reading<string> => (value === '*' ? { problem: 'must not be *' } : readName(value)),
    schema: { type: 'string', minLength: 1, maxLength: 255, not: { enum: ['*'] } },
  });
}

/** How long a `userHash` may be. */
export const LONGEST_HASH = 1_024;

/** What proves a user in a body, as the header `X-User-Hash` does. */
export function IsUserHash(): PropertyDecorator {
  return IsText(
    LONGEST_HASH,
    "HMAC-SHA256 of the user's id under the application's identity key, in hexadecimal or base64",
  );
}
