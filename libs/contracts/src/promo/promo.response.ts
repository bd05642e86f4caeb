/** What an upload came to (push-api, Promo codes). */
export interface PromoUploadResponse {
  /** For the global set the application's id. */
  promoSetId: string;
  /** Codes in the new set. */
  totalRows: number;
}

/** An upload that goes on by itself. */
export interface AcceptedPromoUploadResponse {
  jobId: string;
  promoSetId: string;
}

/** An upload and how far it is. */
export interface PromoJobResponse {
  jobId: string;
  promoSetId: string;
  /** Null: for the global set. */
  trackId: string | null;
  status: 'uploading' | 'importing' | 'done' | 'failed';
  /** Why it failed: `line 3: …` where a line is to blame. */
  reason: string | null;
  /** Size of the file so far, and how much of it is imported. */
  bytes: number;
  bytesImported: number;
  /** Codes imported so far; each line counts. */
  rows: number;
  /** Codes in the set, each once; null until it is in force. */
  totalRows: number | null;
  createdAt: string;
  finishedAt: string | null;
}

/** A set that is or was in force. */
export interface PromoSetResponse {
  /** Names this upload. */
  id: string;
  /** What its upload was answered with: for the global set the application's id, else the same as `id`. */
  promoSetId: string;
  /** Null: the global set. */
  trackId: string | null;
  inForce: boolean;
  /** Codes in the set. */
  total: number;
  /** Those of them that an earlier set of this campaign had given away; they are not given again. */
  givenBefore: number;
  /** Those that were given from this set. */
  assigned: number;
  /** Those that were not given; of a set that was replaced, nobody gets them. */
  remaining: number;
  lowStockAt: number | null;
  isLow: boolean;
  createdAt: string;
  inForceAt: string | null;
  replacedAt: string | null;
}

/** Who was given which code when. */
export interface PromoAssignmentResponse {
  code: string;
  userId: string;
  messageId: string;
  claimedAt: string;
}
