import type { JsonObject } from '@postrider/domain';
import {
  CountField,
  IdField,
  JsonField,
  ListField,
  NextCursorField,
  TextField,
  TimeField,
} from '../validation/answers';

/** A draft in a list. */
export class DraftSummaryResponse {
  @IdField() id!: string;
  @TextField() name!: string;
  @CountField({ description: 'rises with each save; the next save names the revision that it was made from' })
  revision!: number;

  @TimeField() createdAt!: string;
  @TimeField() updatedAt!: string;
  @TextField({ description: 'who saved it last: the name of an access token, or `operator`' }) updatedBy!: string;
}

/** A message that is being written. */
export class DraftResponse extends DraftSummaryResponse {
  @JsonField({ description: 'what was saved, unchanged' }) message!: JsonObject;
}

/** The answer of `GET /api/drafts`. */
export class DraftsResponse {
  @ListField(() => DraftSummaryResponse) drafts!: DraftSummaryResponse[];
  @NextCursorField() nextCursor!: string | null;
}
