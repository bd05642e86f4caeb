import { randomUUID } from 'node:crypto';

/** Nest injection token of this process's name among the edges. */
export const EDGE_ID = Symbol('EdgeId');

/** A name that no process had before: what one that died has left behind is never taken for the next one's. */
export function newEdgeId(instanceId: string): string {
  return `${instanceId.replaceAll(/[^A-Za-z0-9_.-]/g, '-')}-${randomUUID().slice(0, 8)}`;
}
