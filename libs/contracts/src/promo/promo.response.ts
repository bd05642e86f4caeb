import {
  CountField,
  FlagField,
  IdField,
  ListField,
  NextCursorField,
  TextField,
  TimeField,
  WordField,
} from '../validation/answers';

const JOB_STATES = ['uploading', 'importing', 'done', 'failed'] as const;
const SET_ID = 'the `promoSetId` of the answer to the upload; the id of the application for the global set';
const GLOBAL = { isNullable: true, description: 'null for the global set' };

/** The result of an upload. */
export class PromoUploadResponse {
  @TextField({ description: 'a UUID, or the id of the application for the global set' }) promoSetId!: string;
  @CountField({ description: 'codes in the new set' }) totalRows!: number;
}

/** An upload whose import goes on. */
export class AcceptedPromoUploadResponse {
  @IdField() jobId!: string;
  @TextField({ description: 'a UUID, or the id of the application for the global set' }) promoSetId!: string;
}

/** An upload and its progress. */
export class PromoJobResponse {
  @IdField() jobId!: string;
  @TextField({ description: SET_ID }) promoSetId!: string;
  @TextField(GLOBAL) trackId!: string | null;
  @WordField(JOB_STATES) status!: (typeof JOB_STATES)[number];

  @TextField({ isNullable: true, description: 'why it failed; begins with `line 3:` when line 3 is the reason' })
  reason!: string | null;

  @CountField({ description: 'size of the file so far' }) bytes!: number;
  @CountField({ description: 'the bytes imported so far' }) bytesImported!: number;
  @CountField({ description: 'the lines imported so far' }) rows!: number;

  @CountField({ isNullable: true, description: 'the number of different codes in the set; null until it is in force' })
  totalRows!: number | null;

  @TimeField() createdAt!: string;
  @TimeField({ isNullable: true }) finishedAt!: string | null;
}

/** A set that is or was in force. */
export class PromoSetResponse {
  @IdField({ description: 'the id of this upload' }) id!: string;
  @TextField({ description: SET_ID }) promoSetId!: string;
  @TextField(GLOBAL) trackId!: string | null;
  @FlagField() inForce!: boolean;
  @CountField({ description: 'codes in the set' }) total!: number;

  @CountField({
    description: 'codes that an earlier set of this campaign already assigned; they are not assigned again',
  })
  givenBefore!: number;

  @CountField({ description: 'codes assigned from this set' }) assigned!: number;

  @CountField({ description: 'codes that are not assigned; those of a replaced set are never assigned' })
  remaining!: number;

  @CountField({ isNullable: true, description: 'the number of remaining codes at which the set counts as low' })
  lowStockAt!: number | null;

  @FlagField() isLow!: boolean;
  @TimeField() createdAt!: string;
  @TimeField({ isNullable: true }) inForceAt!: string | null;
  @TimeField({ isNullable: true }) replacedAt!: string | null;
}

/** The answer of `GET /api/promo/sets`. */
export class PromoSetsResponse {
  @ListField(() => PromoSetResponse) sets!: PromoSetResponse[];
  @NextCursorField() nextCursor!: string | null;
}

/** Who got which code, and when. */
export class PromoAssignmentResponse {
  @TextField() code!: string;
  @TextField() userId!: string;
  @IdField() messageId!: string;
  @TimeField() claimedAt!: string;
}

/** The answer of `GET /api/promo/sets/:id/assignments`. */
export class PromoAssignmentsResponse {
  @ListField(() => PromoAssignmentResponse) assignments!: PromoAssignmentResponse[];
  @NextCursorField() nextCursor!: string | null;
}
