import { fieldOf } from './field';
import { IsText } from './fields';
import type { Reading } from './reading';
import { readName } from './values';

/** The id of a user who may be made by this request. `*` addresses everybody in a send, so no user can have that id. */
export function IsUserId(): PropertyDecorator {
  return fieldOf({
    name: 'isUserId',
    read: (value): Reading<string> => (value === '*' ? { problem: 'must not be *' } : readName(value)),
    schema: { type: 'string', minLength: 1, maxLength: 255, not: { enum: ['*'] } },
  });
}

/** How long a `userHash` may be. */
export const LONGEST_HASH = 1_024;

/** The proof of a user in a body, like the header `X-User-Hash`. */
export function IsUserHash(): PropertyDecorator {
  return IsText(
    LONGEST_HASH,
    "HMAC-SHA256 of the user's id under the application's identity key, in hexadecimal or base64",
  );
}
