import { Injectable } from '@nestjs/common';
import { DevicesRepository, type OwnerOfInstallation } from '@postrider/persistence';
import { Batcher } from '@postrider/platform';

interface Asked {
  appId: string;
  installationId: string;
}

/** Looks up whose installations report: one question for all requests that come while the last one is answered. */
@Injectable()
export class OwnerLookups {
  readonly #owners: Batcher<Asked, OwnerOfInstallation | null>;

  constructor(private readonly devices: DevicesRepository) {
    this.#owners = new Batcher({ work: (asked) => this.#find(asked) });
  }

  /** @returns null for an unknown installation */
  find(appId: string, installationId: string): Promise<OwnerOfInstallation | null> {
    return this.#owners.add({ appId, installationId: installationId.toLowerCase() });
  }

  async #find(asked: Asked[]): Promise<(OwnerOfInstallation | null)[]> {
    const found = await this.devices.findOwners(asked);
    const owners = new Map(found.map((owner) => [`${owner.appId} ${owner.installationId}`, owner]));
    return asked.map(({ appId, installationId }) => owners.get(`${appId} ${installationId}`) ?? null);
  }
}
