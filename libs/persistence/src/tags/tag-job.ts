/** What a file of tags is written in. */
export type TagFileFormat = 'csv' | 'ndjson';

/** What a line does with its tag, where it does not say so itself. */
export type TagOperation = 'add' | 'remove';

/** `uploading`: the file is on its way; `working`: it is there; `failed`: nothing more will come of it. */
export type TagJobStatus = 'uploading' | 'working' | 'done' | 'failed';

/** Names a file of tags. */
export interface TagJobKey {
  appId: string;
  jobId: string;
}

/** A file of tags and how far it is worked. */
export interface TagJob {
  jobId: string;
  format: TagFileFormat;
  operation: TagOperation;
  status: TagJobStatus;
  /** Why it failed. */
  reason: string | null;
  /** What the columns of a CSV file hold; null until its first line was read. */
  columns: string[] | null;
  /** Size of the file, and how much of it is worked. */
  bytes: number;
  position: number;
  /** Lines read, and those of them that were refused. */
  lines: number;
  failedLines: number;
  usersChanged: number;
  devicesChanged: number;
  unknownUsers: number;
  createdAt: Date;
  finishedAt: Date | null;
}

/** The select list that gives a `TagJob`; sizes fit a double. */
export const TAG_JOB_COLUMNS = `job_id AS "jobId", format, operation, status, reason, columns, bytes::float8 AS bytes,
  position::float8 AS position, lines::float8 AS lines, failed_lines::float8 AS "failedLines",
  users_changed::float8 AS "usersChanged", devices_changed::float8 AS "devicesChanged",
  unknown_users::float8 AS "unknownUsers", created_at AS "createdAt", finished_at AS "finishedAt"`;

/** Bytes of every piece of a file but the last: where a byte stands says which piece holds it. */
export const TAG_CHUNK_BYTES = 262_144;
