const COUNT = { type: 'integer', minimum: 0 };
const NULLABLE_COUNT = { type: ['integer', 'null'], minimum: 0 };
const TEXT = { type: 'string' };
const NULLABLE_TEXT = { type: ['string', 'null'] };
const TIME = { type: 'string', format: 'date-time' };
const NULLABLE_TIME = { type: ['string', 'null'], format: 'date-time' };
const UUID = { type: 'string', format: 'uuid' };

/** JSON schemas of the promo API, for the API document. */
export const PROMO_FILE_SCHEMA = {
  type: 'object',
  required: ['file'],
  properties: {
    file: { type: 'string', format: 'binary', description: 'UTF-8, one code a line, LF or CRLF' },
  },
};

export const PROMO_UPLOAD_SCHEMA = {
  type: 'object',
  required: ['promoSetId', 'totalRows'],
  properties: {
    promoSetId: { type: 'string', description: 'a UUID; for the global set the id of the application' },
    totalRows: COUNT,
  },
};

export const ACCEPTED_PROMO_UPLOAD_SCHEMA = {
  type: 'object',
  required: ['jobId', 'promoSetId'],
  properties: { jobId: UUID, promoSetId: TEXT },
};

export const PROMO_JOB_SCHEMA = {
  type: 'object',
  required: ['jobId', 'promoSetId', 'trackId', 'status', 'reason', 'bytes', 'bytesImported', 'rows', 'totalRows'],
  properties: {
    jobId: UUID,
    promoSetId: TEXT,
    trackId: NULLABLE_TEXT,
    status: { enum: ['uploading', 'importing', 'done', 'failed'] },
    reason: NULLABLE_TEXT,
    bytes: COUNT,
    bytesImported: COUNT,
    rows: COUNT,
    totalRows: NULLABLE_COUNT,
    createdAt: TIME,
    finishedAt: NULLABLE_TIME,
  },
};

export const PROMO_SET_SCHEMA = {
  type: 'object',
  required: ['id', 'promoSetId', 'trackId', 'inForce', 'total', 'assigned', 'remaining', 'lowStockAt', 'isLow'],
  properties: {
    id: UUID,
    promoSetId: TEXT,
    trackId: NULLABLE_TEXT,
    inForce: { type: 'boolean' },
    total: COUNT,
    givenBefore: COUNT,
    assigned: COUNT,
    remaining: COUNT,
    lowStockAt: NULLABLE_COUNT,
    isLow: { type: 'boolean' },
    createdAt: TIME,
    inForceAt: NULLABLE_TIME,
    replacedAt: NULLABLE_TIME,
  },
};

export const PROMO_SETS_SCHEMA = {
  type: 'object',
  required: ['sets', 'nextCursor'],
  properties: { sets: { type: 'array', items: PROMO_SET_SCHEMA }, nextCursor: NULLABLE_TEXT },
};

export const PROMO_SET_CHANGE_SCHEMA = {
  type: 'object',
  required: ['lowStockAt'],
  properties: {
    lowStockAt: { ...NULLABLE_COUNT, description: 'event promo.low_stock once no more codes than this are left' },
  },
};

export const PROMO_ASSIGNMENTS_SCHEMA = {
  type: 'object',
  required: ['assignments', 'nextCursor'],
  properties: {
    assignments: {
      type: 'array',
      items: {
        type: 'object',
        required: ['code', 'userId', 'messageId', 'claimedAt'],
        properties: { code: TEXT, userId: TEXT, messageId: UUID, claimedAt: TIME },
      },
    },
    nextCursor: NULLABLE_TEXT,
  },
};
