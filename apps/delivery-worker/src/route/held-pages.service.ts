import { Inject, Injectable } from '@nestjs/common';
import { ReleaseHeldPages } from '@postrider/maintenance';
import { type Logger, LOGGER } from '@postrider/platform';
import type { Route } from './route';

/** Releases the pages that wait for a route when it is known to work. */
@Injectable()
export class HeldPages {
  /** The routes whose pages are being released. True: once more after that. */
  readonly #releasing = new Map<string, boolean>();

  constructor(
    private readonly pages: ReleaseHeldPages,
    @Inject(LOGGER) private readonly logger: Logger,
  ) {}

  /**
   * Releases the pages that wait now, of all workers and both lanes. Never rejects: without PostgreSQL they return by
   * themselves.
   */
  async release({ appId, vendor }: Pick<Route, 'appId' | 'vendor'>): Promise<void> {
    const name = `${vendor} ${appId}`;
    const isReleasing = this.#releasing.has(name);
    this.#releasing.set(name, isReleasing);
    if (isReleasing) return;
    try {
      do {
        this.#releasing.set(name, false);
        await this.pages.release(appId, vendor);
      } while (this.#releasing.get(name) === true);
    } catch (error) {
      this.logger.warn({ appId, vendor, err: error }, 'route.not-released');
    } finally {
      this.#releasing.delete(name);
    }
  }
}
