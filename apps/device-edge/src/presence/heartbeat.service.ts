import { Inject, Injectable } from '@nestjs/common';
import { EdgesRepository } from '@postrider/persistence';
import { LOGGER, type Logger } from '@postrider/platform';
import { InboxRechecks } from '../inbox/inbox-rechecks.service';
import { EDGE_ID } from './edge-id';

/** Presence rows of dead edges that one statement deletes. */
const DEAD_ROWS_AT_ONCE = 5_000;

/** Tells the other processes that this edge is alive. The devices of an edge without a heartbeat are offline. */
@Injectable()
export class Heartbeat {
  constructor(
    @Inject(EDGE_ID) private readonly edgeId: string,
    @Inject(LOGGER) private readonly logger: Logger,
    private readonly edges: EdgesRepository,
    private readonly rechecks: InboxRechecks,
  ) {}

  /** Writes the first heartbeat. */
  async start(): Promise<void> {
    await this.edges.beat(this.edgeId);
  }

  /** Writes a heartbeat. When this edge was taken for dead, messages went past it: every inbox is read again. */
  async beat(): Promise<void> {
    const wasDead = await this.edges.beat(this.edgeId);
    if (wasDead) this.rechecks.requestAll();
  }

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
