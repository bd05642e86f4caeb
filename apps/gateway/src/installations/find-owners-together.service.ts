import { Inject, Injectable } from '@nestjs/common';
import { type Database, DATABASE, findOwners, type OwnerOfInstallation } from '@postrider/persistence';

const AT_ONCE = 500;

interface Asked {
  appId: string;
  installationId: string;
  resolve: (owner: OwnerOfInstallation | null) => void;
  reject: (error: unknown) => void;
}

/** Looks up whose installations report: one question for all requests that come while the last one is answered. */
@Injectable()
export class FindOwnersTogether {
  #asked: Asked[] = [];
  #isUnderWay = false;

  constructor(@Inject(DATABASE) private readonly database: Database) {}

  /** @returns null for an unknown installation */
  find(appId: string, installationId: string): Promise<OwnerOfInstallation | null> {
    return new Promise((resolve, reject) => {
      this.#asked.push({ appId, installationId: installationId.toLowerCase(), resolve, reject });
      if (!this.#isUnderWay) {
        this.#isUnderWay = true;
        setImmediate(() => void this.#answer());
      }
    });
  }

  async #answer(): Promise<void> {
    while (this.#asked.length > 0) {
      const asked = this.#asked.splice(0, AT_ONCE);
      try {
        const found = await findOwners(this.database, asked);
        const owners = new Map(found.map((owner) => [`${owner.appId} ${owner.installationId}`, owner]));
        for (const { appId, installationId, resolve } of asked) {
          resolve(owners.get(`${appId} ${installationId}`) ?? null);
        }
      } catch (error) {
        for (const { reject } of asked) reject(error);
      }
    }
    this.#isUnderWay = false;
  }
}
