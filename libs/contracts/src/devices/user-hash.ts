import { IsText } from '../validation/fields';

/** How long a `userHash` may be. */
export const LONGEST_HASH = 1_024;

/** What proves a user in a body, as the header `X-User-Hash` does (decisions, `requireUserHash`). */
export function IsUserHash(): PropertyDecorator {
  return IsText(
    LONGEST_HASH,
    "HMAC-SHA256 of the user's id under the application's identity key, in hexadecimal or base64",
  );
}
