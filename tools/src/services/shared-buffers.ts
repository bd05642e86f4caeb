import { totalmem } from 'node:os';

const MIB = 1_024 * 1_024;
const LEAST_MIB = 128;
/** Holds the devices of an application of a million, with their indexes. */
const MOST_MIB = 1_024;

/**
 * Returns `shared_buffers` for an embedded PostgreSQL: a quarter of the memory, as PostgreSQL recommends, and no more than a
 * million devices need. A table that it does not hold is copied from the operating system's cache by each count of devices,
 * which takes four times as long. PostgreSQL takes the memory as it fills up.
 *
 * @param bytes the memory of the machine, or as much of it as this process may have
 */
export function sharedBuffers(bytes = availableMemory()): string {
  return `${Math.min(MOST_MIB, Math.max(LEAST_MIB, Math.floor(bytes / 4 / MIB)))}MB`;
}

/** A container may have less memory than its machine; without a limit, its limit is 0 or more than there is. */
function availableMemory(): number {
  return Math.min(totalmem(), process.constrainedMemory() || Infinity);
}
