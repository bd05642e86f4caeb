import { Inject, Injectable } from '@nestjs/common';
import type { Clock } from '@postrider/domain';
import { type ConnectingDevice, ConnectionSessionsRepository } from '@postrider/persistence';
import { Batcher, CLOCK } from '@postrider/platform';

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
  ) {
    this.#lookUps = new Batcher({ work: (keys) => this.#find(keys), concurrency: STATEMENTS_AT_ONCE });
  }

  /** @returns null for an installation that is not registered */
  find(appId: string, installationId: string): Promise<ConnectingDevice | null> {
    return this.#lookUps.add({ appId, installationId: installationId.toLowerCase() });
  }

  async #find(keys: InstallationKey[]): Promise<(ConnectingDevice | null)[]> {
    const found = await this.sessions.findConnecting(keys, this.clock.now());
    const byKey = new Map(found.map((device) => [`${device.appId}/${device.installationId}`, device]));
    return keys.map(({ appId, installationId }) => byKey.get(`${appId}/${installationId}`) ?? null);
  }
}
