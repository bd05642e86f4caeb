import { TAG_CHUNK_BYTES, type TagJob, type TagJobsRepository } from '@postrider/persistence';
import { RecordSplitter } from './record-splitter';
import type { RawRecord } from './tag-line';

/** A CSV record is three names at most; a line of JSON may name a thousand tags. */
const MAX_RECORD_BYTES = { csv: 65_536, ndjson: 1_048_576 };

/** What one transaction takes: short enough to hold nobody up, long enough to be worth it. */
const BATCH_LINES = 1_000;
const BATCH_BYTES = 262_144;

/** The records that are worked at once. */
export interface RecordBatch {
  records: RawRecord[];
  isLast: boolean;
}

/**
 * Reads a file from where it was left, in batches that each hold at least one record; the last one may hold none. Memory
 * holds a piece of the file and a batch.
 */
export async function* readTagFile(
  jobs: TagJobsRepository,
  appId: string,
  job: TagJob,
): AsyncGenerator<RecordBatch, void> {
  let records: RawRecord[] = [];
  let bytes = 0;
  for await (const record of readRecords(jobs, appId, job)) {
    records.push(record);
    bytes += record.bytes?.length ?? 0;
    if (records.length < BATCH_LINES && bytes < BATCH_BYTES) continue;
    yield { records, isLast: false };
    records = [];
    bytes = 0;
  }
  yield { records, isLast: true };
}

async function* readRecords(jobs: TagJobsRepository, appId: string, job: TagJob): AsyncGenerator<RawRecord, void> {
  const { jobId, position, lines, format } = job;
  const splitter = new RecordSplitter({
    offset: position,
    line: lines + 1,
    isQuoted: format === 'csv',
    maxBytes: MAX_RECORD_BYTES[format],
  });
  let skipped = position % TAG_CHUNK_BYTES;
  for (let number = Math.floor(position / TAG_CHUNK_BYTES); number * TAG_CHUNK_BYTES < job.bytes; number++) {
    const chunk = await jobs.readChunk({ appId, jobId }, number);
    // Worked and thrown away by somebody else meanwhile: what was read so far finds its stretch taken.
    if (!chunk) return;
    yield* splitter.push(chunk.subarray(skipped));
    skipped = 0;
  }
  yield* splitter.end();
}
