import { ErrorCode } from 'bullmq';

/** Redis was wiped while the job ran, or another worker has it by now. */
const LOST: readonly unknown[] = [
  ErrorCode.JobNotExist,
  ErrorCode.JobLockNotExist,
  ErrorCode.JobNotInState,
  ErrorCode.JobLockMismatch,
];

/**
 * Whether an error only says that Redis no longer knows a job as ours. That is nothing to worry about: its work stands in
 * the ledger, and so does what became of it.
 */
export function isLostJob(error: Error): boolean {
  return LOST.includes((error as { code?: unknown }).code) || error.message.startsWith('could not renew lock for job');
}
