import type { Database } from '../database/executor';

/** Nest injection token of the process's `HeavyDatabase`. */
export const HEAVY_DATABASE = Symbol('HeavyDatabase');

/** Connections of their own for reads that look at many devices: whatever they do, no other request waits for a connection. */
export interface HeavyDatabase {
  pool: Database;
  /** How many connections there are. */
  size: number;
}
