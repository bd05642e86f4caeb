import { Injectable } from '@nestjs/common';
import { DevicesRepository, type OwnerOfInstallation } from '@postrider/persistence';
import { Batcher } from '@postrider/platform';

interface Asked {
  appId: string;
  installationId: string;
}

/** Looks up the owners of reporting installations: one query for all requests that arrive while the last one runs. */
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
