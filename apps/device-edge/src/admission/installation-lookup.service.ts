import { Inject, Injectable } from '@nestjs/common';
import type { Clock } from '@postrider/domain';
import { type ConnectingDevice, ConnectionSessionsRepository } from '@postrider/persistence';
import { Batcher, CLOCK } from '@postrider/platform';
import { FormerConnections } from '../presence/former-connections.service';

const STATEMENTS_AT_ONCE = 2;

interface InstallationKey {
  appId: string;
  installationId: string;
}

/** Finds the installations of connecting devices, many in one statement. */
@Injectable()
export class InstallationLookup {
  readonly #lookUps: Batcher<InstallationKey, ConnectingDevice | null>;

  constructor(
    @Inject(CLOCK) private readonly clock: Clock,
    private readonly sessions: ConnectionSessionsRepository,
    private readonly formerConnections: FormerConnections,
  ) {
    this.#lookUps = new Batcher({ work: (keys) => this.#find(keys), concurrency: STATEMENTS_AT_ONCE });
  }

  /** @returns null for an installation that is not registered */
  find(appId: string, installationId: string): Promise<ConnectingDevice | null> {
    return this.#lookUps.add({ appId, installationId: installationId.toLowerCase() });
  }

  /**
   * Finds an installation that connects, and ends its connection to another edge first: its session then has what was not
   * acknowledged there.
   *
   * @returns null for one that is not registered, or not to this user
   */
  async findConnecting(appId: string, installationId: string, userId: string): Promise<ConnectingDevice | null> {
    let device = await this.find(appId, installationId);
    if (device?.userId === userId && (await this.formerConnections.end(device)))
      device = await this.find(appId, installationId);
    return device?.userId === userId ? device : null;
  }

  async #find(keys: InstallationKey[]): Promise<(ConnectingDevice | null)[]> {
    const found = await this.sessions.findConnecting(keys, this.clock.now());
    const byKey = new Map(found.map((device) => [`${device.appId}/${device.installationId}`, device]));
    return keys.map(({ appId, installationId }) => byKey.get(`${appId}/${installationId}`) ?? null);
  }
}
