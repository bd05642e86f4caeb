import { randomUUID } from 'node:crypto';

/** Nest injection token of this process's name among the edges. */
export const EDGE_ID = Symbol('EdgeId');

/** A name that no process had before, so that the rows of a dead edge are never taken for those of its successor. */
export function newEdgeId(instanceId: string): string {
  return `${instanceId.replaceAll(/[^A-Za-z0-9_.-]/g, '-')}-${randomUUID().slice(0, 8)}`;
}
