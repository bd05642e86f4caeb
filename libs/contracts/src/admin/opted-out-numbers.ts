import { ListField, NextCursorField, TextField, TimeField } from '../validation/answers';
import { IsCursor, IsLimit } from '../validation/paging';

/** The query of `GET apps/:id/opted-out-numbers`. */
export class OptedOutNumbersQuery {
  /** The last digest of the previous answer. */
  @IsCursor(/^[0-9a-f]{64}$/) cursor?: string;
  @IsLimit(1_000, 100) limit!: number;
}

/** A number whose owner wants no SMS. */
export class OptedOutNumberResponse {
  @TextField({ description: 'HMAC-SHA-256 of the number in hexadecimal; the number itself is not stored' })
  digest!: string;
  @TextField() provider!: string;
  @TextField({ description: 'the code of the provider' }) code!: string;
  @TimeField() optedOutAt!: string;
}

/** The numbers of an application that get no SMS. */
export class OptedOutNumbersResponse {
  @ListField(() => OptedOutNumberResponse) numbers!: OptedOutNumberResponse[];
  @NextCursorField() nextCursor!: string | null;
}
