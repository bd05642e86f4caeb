import { isJsonObject, type JsonObject, UUID } from '@postrider/domain';
import { Example, fieldOf, Optional } from '../validation/field';
import { IsName, IsNamePart, IsWholeNumber } from '../validation/fields';
import { IsCursor, IsLimit } from '../validation/paging';
import { AbsentBodyIsEmpty } from '../validation/read-request';
import type { Reading } from '../validation/reading';

/** How many bytes of JSON a draft may hold. */
const MAX_DRAFT_BYTES = 131_072;
/** PostgreSQL's largest integer. */
const MAX_REVISION = 2_147_483_647;

/** Milliseconds since 1970, and a draft. */
const PLACE = new RegExp(`^\\d{1,13} ${UUID.source.slice(1)}`, UUID.flags);

/** The number of a draft's revision. */
export function IsRevision(description: string): PropertyDecorator {
  return IsWholeNumber(1, MAX_REVISION, { description });
}

/** The body of `POST /api/drafts`. */
@Example({ name: 'Spring sale', message: { content: 'Everything must', target: { deviceType: 'android' } } })
export class DraftRequest {
  @IsName() name!: string;
  @IsDraftMessage() message!: JsonObject;
}

/** The body of `PUT /api/drafts/:id`. */
@Example({ name: 'Spring sale', message: { content: 'Everything must go' }, revision: 1 })
export class DraftChangesRequest extends DraftRequest {
  @IsRevision('the revision that this one was made from; if the draft has another one by now, the answer is 409')
  revision!: number;
}

/** The body of `POST /api/drafts/:id/duplicate`. */
@AbsentBodyIsEmpty()
@Example({ name: 'Summer sale' })
export class DraftCopyRequest {
  @Optional() @IsName('the name of the copy; absent: that of the draft with "(copy)"') name?: string;
}

/** The query of `DELETE /api/drafts/:id`. */
export class DraftRemovalQuery {
  @Optional() @IsRevision('delete the draft only while it has this revision') revision?: number;
}

/** The query of `GET /api/drafts`. */
export class DraftsQuery {
  @Optional() @IsNamePart() name?: string;
  @IsCursor(PLACE) cursor?: string;
  @IsLimit(200, 50) limit!: number;
}

/** An unfinished message: nothing in it is checked before it is sent. */
function IsDraftMessage(): PropertyDecorator {
  return fieldOf<JsonObject>({
    name: 'isDraftMessage',
    read: (value): Reading<JsonObject> => {
      if (!isJsonObject(value)) return { problem: 'must be an object' };
      const bytes = Buffer.byteLength(JSON.stringify(value));
      return bytes <= MAX_DRAFT_BYTES
        ? { value }
        : { problem: `has ${bytes} bytes of JSON, a draft has at most ${MAX_DRAFT_BYTES}` };
    },
    schema: {
      type: 'object',
      additionalProperties: true,
      description: `the body of an unfinished send, or any data of its editor; at most ${MAX_DRAFT_BYTES} bytes of JSON`,
    },
  });
}
