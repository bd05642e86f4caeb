/**
 * What every key of ours in Redis begins with. The braces are a hash tag: on a cluster all keys of the queues fall into one
 * slot, as BullMQ's scripts ask. A scaler that reads a queue's length reads `{postrider}:<queue>:wait` and `:prioritized`.
 */
export const QUEUE_PREFIX = '{postrider}';
