/** A file of tags and how far it is worked. */
export interface TagJobResponse {
  jobId: string;
  status: 'uploading' | 'working' | 'done' | 'failed';
  reason: string | null;
  bytes: number;
  bytesWorked: number;
  lines: number;
  failedLines: number;
  usersChanged: number;
  devicesChanged: number;
  unknownUsers: number;
  /** The first thousand lines that were refused. */
  errors: { line: number; message: string }[];
  createdAt: string;
  finishedAt: string | null;
}

const COUNT = { type: 'integer', minimum: 0 };
const JOB_ID = { type: 'string', format: 'uuid' };

export const ACCEPTED_TAG_JOB_SCHEMA = { type: 'object', required: ['jobId'], properties: { jobId: JOB_ID } };

export const TAG_JOB_SCHEMA = {
  type: 'object',
  required: ['jobId', 'status', 'lines', 'failedLines', 'usersChanged', 'devicesChanged', 'errors'],
  properties: {
    jobId: JOB_ID,
    status: { enum: ['uploading', 'working', 'done', 'failed'] },
    reason: { type: ['string', 'null'] },
    bytes: COUNT,
    bytesWorked: COUNT,
    lines: COUNT,
    failedLines: COUNT,
    usersChanged: COUNT,
    devicesChanged: COUNT,
    unknownUsers: COUNT,
    errors: {
      type: 'array',
      items: { type: 'object', properties: { line: COUNT, message: { type: 'string' } } },
    },
    createdAt: { type: 'string', format: 'date-time' },
    finishedAt: { type: ['string', 'null'], format: 'date-time' },
  },
};
