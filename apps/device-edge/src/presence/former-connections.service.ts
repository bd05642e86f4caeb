import { setTimeout as pause } from 'node:timers/promises';
import { Inject, Injectable } from '@nestjs/common';
import { type ConnectingDevice, type Connection, EdgesRepository, PresenceRepository } from '@postrider/persistence';
import { Batcher } from '@postrider/platform';
import { EdgeHints } from '@postrider/queues';
import { deviceKey } from '../session/device-session';
import { EDGE_ID } from '../runtime/edge-id';

/** When to look if the other edge has closed the connection, each time after the time before: half a second together. */
const LOOK_AFTER_MS = [15, 30, 60, 120, 240];

/**
 * Ends the connection that a device has to another edge before it is admitted to this one: a device has one connection
 * (MQTT 3.1.1 §3.1.4-2), and the former edge stores what was not acknowledged there, for this edge to repeat.
 */
@Injectable()
export class FormerConnections {
  readonly #closings: Batcher<Connection, boolean>;
  readonly #looks: Batcher<Connection, boolean>;

  constructor(
    @Inject(EDGE_ID) private readonly edgeId: string,
    private readonly hints: EdgeHints,
    private readonly edges: EdgesRepository,
    private readonly presence: PresenceRepository,
  ) {
    this.#closings = new Batcher({ work: (connections) => this.#askToClose(connections) });
    this.#looks = new Batcher({ work: (connections) => this.#areOver(connections) });
  }

  /**
   * Resolves when the other edge has closed the connection, or does not answer: then it closes it later, and what was not
   * acknowledged there comes as if it were sent for the first time.
   *
   * @returns false if there was no such connection; otherwise what is known of the device has to be read again
   */
  async end({ appId, deviceId, connection }: ConnectingDevice): Promise<boolean> {
    if (connection === null || connection.edgeId === this.edgeId) return false;
    const former = { appId, deviceId, ...connection };
    if (await this.#closings.add(former)) await this.#isOver(former);
    return true;
  }

  async #isOver(former: Connection): Promise<void> {
    for (const ms of LOOK_AFTER_MS) {
      await pause(ms);
      if (await this.#looks.add(former)) return;
    }
  }

  async #askToClose(connections: Connection[]): Promise<boolean[]> {
    const asked = await this.edges.askToClose(connections);
    this.hints.tellClosures([...new Set(asked.map(({ edgeId }) => edgeId))]);
    const keys = new Set(asked.map(keyOf));
    return connections.map((one) => keys.has(keyOf(one)));
  }

  async #areOver(connections: Connection[]): Promise<boolean[]> {
    const present = new Set((await this.presence.find(connections)).map(keyOf));
    return connections.map((one) => !present.has(keyOf(one)));
  }
}

function keyOf({ appId, deviceId, epoch }: Connection): string {
  return `${epoch} ${deviceKey(appId, deviceId)}`;
}
