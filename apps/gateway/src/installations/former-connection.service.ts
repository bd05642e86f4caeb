import { setTimeout as pause } from 'node:timers/promises';
import { Inject, Injectable } from '@nestjs/common';
import { DATABASE, type Database, findClosingEdges } from '@postrider/persistence';
import { EdgeHints } from '@postrider/queues';

/** Longer than a live edge needs by far; a dead one holds no connection. */
const WITHIN_MS = 1_000;
const LOOK_EVERY_MS = 10;

/**
 * Sees to it that a device's connection ends with its owner. An edge closes it by itself within a second; whoever is told
 * of the new owner should find the former one's connection closed, and not have his own mistaken for it.
 */
@Injectable()
export class FormerConnection {
  constructor(
    @Inject(DATABASE) private readonly database: Database,
    private readonly edgeHints: EdgeHints,
  ) {}

  /** Resolves when no edge has a connection of the former owner any more, or after a second. */
  async closed(appId: string, deviceId: string): Promise<void> {
    const giveUpAt = performance.now() + WITHIN_MS;
    const edgeIds = await findClosingEdges(this.database, appId, deviceId);
    this.edgeHints.tellClosures(edgeIds);
    for (let open = edgeIds; open.length > 0 && performance.now() < giveUpAt;) {
      await pause(LOOK_EVERY_MS);
      open = await findClosingEdges(this.database, appId, deviceId);
    }
  }
}
