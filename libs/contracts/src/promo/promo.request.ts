import { ApiProperty } from '@nestjs/swagger';
import { UUID } from '@postrider/domain';
import { Example, fieldOf, Optional, Removable } from '../validation/field';
import { IsFlag, IsName, IsWholeNumber } from '../validation/fields';
import { IsCursor, IsLimit } from '../validation/paging';

const MOST_CODES = 1_000_000_000;

/** The path of an upload of a campaign's promo codes. */
export class PromoUploadPath {
  @IsName() track_id!: string;
}

/** The query of an upload of promo codes. */
export class PromoUploadQuery {
  @IsFlag('answer 202 with a job id as soon as the file is received', { default: false }) async!: boolean;
}

/** The form of an upload of promo codes, for the API document. It is read as a stream. */
export class PromoFileRequest {
  @ApiProperty({ type: 'string', format: 'binary', description: 'UTF-8, one code a line, LF or CRLF' }) file!: string;
}

/** The query of `GET /api/promo/sets`. */
export class PromoSetsQuery {
  @Optional() @IsName() trackId?: string;
  @Optional() @IsFlag('`true`: only sets that are in force; `false`: only other sets') inForce?: boolean;
  @IsCursor(UUID) cursor?: string;
  @IsLimit(200, 50) limit!: number;
}

const LARGEST_ORDINAL = 2_147_483_647;

function isOrdinal(text: string): boolean {
  return /^\d{1,10}$/.test(text) && Number(text) <= LARGEST_ORDINAL;
}

/** The query of `GET /api/promo/sets/:id/assignments` and of its export. */
export class PromoAssignmentsQuery {
  @Optional() @IsName('only the codes of this user') user?: string;
  @Optional() @IsMessageId() message?: string;
  @IsCursor({ test: isOrdinal }) cursor?: string;
  @IsLimit(1_000, 100) limit!: number;
}

/** Which assignments of a promo set to list. Null: no filter. */
export interface AskedAssignments {
  userId: string | null;
  messageId: string | null;
  afterOrdinal: number;
}

/** The assignments that a query asks for. */
export function askedAssignments({ user, message, cursor }: PromoAssignmentsQuery): AskedAssignments {
  return { userId: user ?? null, messageId: message ?? null, afterOrdinal: Number(cursor ?? 0) };
}

/** The body of `PUT /api/promo/sets/:id`. */
@Example({ lowStockAt: 500 })
export class PromoSetChangeRequest {
  @IsWholeNumber(0, MOST_CODES, {
    description: 'the event promo.low_stock is sent when this number of codes or fewer remain; null: no event',
  })
  @Removable(null)
  lowStockAt!: number | null;
}

function IsMessageId(): PropertyDecorator {
  return fieldOf<string>({
    name: 'isMessageId',
    read: (value) =>
      typeof value === 'string' && UUID.test(value) ? { value } : { problem: 'must be the id of a message' },
    schema: { type: 'string', format: 'uuid', description: 'only the codes that this message assigned' },
  });
}
