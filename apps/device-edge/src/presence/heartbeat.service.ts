import { Inject, Injectable } from '@nestjs/common';
import { EdgesRepository, isDatabaseUnavailable, isUndefinedTable } from '@postrider/persistence';
import { LOGGER, type Logger } from '@postrider/platform';
import { EDGE_ID } from '../runtime/edge-id';
import { EdgeLease } from './edge-lease.service';

/** Presence rows of dead edges that one statement deletes. */
const DEAD_ROWS_AT_ONCE = 5_000;

/** Tells the other processes that this edge is alive. The devices of an edge without a heartbeat are offline. */
@Injectable()
export class Heartbeat {
  constructor(
    @Inject(EDGE_ID) private readonly edgeId: string,
    @Inject(LOGGER) private readonly logger: Logger,
    private readonly edges: EdgesRepository,
    private readonly lease: EdgeLease,
  ) {}

  /**
   * Writes the first heartbeat. If the database is not migrated yet, or PostgreSQL is away for a moment, the next
   * heartbeat is the first, and the edge is not ready until then.
   */
  async start(): Promise<void> {
    try {
      await this.beat();
    } catch (error) {
      if (!isUndefinedTable(error) && !isDatabaseUnavailable(error)) throw error;
    }
  }

  /** Writes a heartbeat, and renews the lease of this edge. */
  async beat(): Promise<void> {
    const beganMs = performance.now();
    const wasDead = await this.edges.beat(this.edgeId);
    this.lease.renew(beganMs, wasDead);
  }

  /** Deletes edges that died, and a limited number of their connections. Call it repeatedly. */
  async removeDeadEdges(): Promise<void> {
    await this.edges.removeDead(DEAD_ROWS_AT_ONCE);
  }

  /** Ends the heartbeat after the last connection is closed. */
  async stop(): Promise<void> {
    await this.edges.remove(this.edgeId).catch((error: unknown) => {
      this.logger.warn({ err: error }, 'edge.not-removed');
    });
  }
}
