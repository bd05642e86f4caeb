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
const SET_ID = 'what its upload was answered with: for the global set the id of the application';
const GLOBAL = { isNullable: true, description: 'null: the global set' };

/** What an upload came to. */
export class PromoUploadResponse {
  @TextField({ description: 'a UUID; for the global set the id of the application' })
  promoSetId!: string;

  @CountField({ description: 'codes in the new set' })
  totalRows!: number;
}

/** An upload that goes on by itself. */
export class AcceptedPromoUploadResponse {
  @IdField()
  jobId!: string;

  @TextField({ description: 'a UUID; for the global set the id of the application' })
  promoSetId!: string;
}

/** An upload and how far it is. */
export class PromoJobResponse {
  @IdField()
  jobId!: string;

  @TextField({ description: SET_ID })
  promoSetId!: string;

  @TextField(GLOBAL)
  trackId!: string | null;

  @WordField(JOB_STATES)
  status!: (typeof JOB_STATES)[number];

  @TextField({ isNullable: true, description: 'why it failed: `line 3: …` where a line is to blame' })
  reason!: string | null;

  @CountField({ description: 'size of the file so far' })
  bytes!: number;

  @CountField({ description: 'how much of it is imported' })
  bytesImported!: number;

  @CountField({ description: 'codes imported so far; each line counts' })
  rows!: number;

  @CountField({ isNullable: true, description: 'codes in the set, each once; null until it is in force' })
  totalRows!: number | null;

  @TimeField()
  createdAt!: string;

  @TimeField({ isNullable: true })
  finishedAt!: string | null;
}

/** A set that is or was in force. */
export class PromoSetResponse {
  @IdField({ description: 'names this upload' })
  id!: string;

  @TextField({ description: SET_ID })
  promoSetId!: string;

  @TextField(GLOBAL)
  trackId!: string | null;

  @FlagField()
  inForce!: boolean;

  @CountField({ description: 'codes in the set' })
  total!: number;

  @CountField({
    description: 'those of them that an earlier set of this campaign had given away; they are not given again',
  })
  givenBefore!: number;

  @CountField({ description: 'those that were given from this set' })
  assigned!: number;

  @CountField({ description: 'those that were not given; of a set that was replaced, nobody gets them' })
  remaining!: number;

  @CountField({ isNullable: true, description: 'at how many codes left the set counts as low' })
  lowStockAt!: number | null;

  @FlagField()
  isLow!: boolean;

  @TimeField()
  createdAt!: string;

  @TimeField({ isNullable: true })
  inForceAt!: string | null;

  @TimeField({ isNullable: true })
  replacedAt!: string | null;
}

/** What `GET /api/promo/sets` answers. */
export class PromoSetsResponse {
  @ListField(() => PromoSetResponse)
  sets!: PromoSetResponse[];

  @NextCursorField()
  nextCursor!: string | null;
}

/** Who was given which code when. */
export class PromoAssignmentResponse {
  @TextField()
  code!: string;

  @TextField()
  userId!: string;

  @IdField()
  messageId!: string;

  @TimeField()
  claimedAt!: string;
}

/** What `GET /api/promo/sets/:id/assignments` answers. */
export class PromoAssignmentsResponse {
  @ListField(() => PromoAssignmentResponse)
  assignments!: PromoAssignmentResponse[];

  @NextCursorField()
  nextCursor!: string | null;
}
