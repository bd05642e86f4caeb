import type { PromoImport, PromoImportsRepository } from '@postrider/persistence';
import type { Clock } from '@postrider/domain';

/**
 * The import no longer belongs to this worker: another one took it over, or its application is gone. Nothing more is
 * written.
 */
export class ImportLost extends Error {
  constructor() {
    super('The import is no longer held');
    this.name = 'ImportLost';
  }
}

/** An import that is not renewed for so long is another worker's to take. */
export const LEASE_MS = 10_000;
const RENEW_EVERY_MS = 3_000;

/** Renews an import's lease while the worker is at it, in the background: settling a large set is one long statement. */
export class ImportLease {
  readonly #timer: NodeJS.Timeout;

  constructor(
    private readonly imports: PromoImportsRepository,
    private readonly clock: Clock,
    held: PromoImport,
  ) {
    this.#timer = setInterval(() => this.#renew(held), RENEW_EVERY_MS);
  }

  /** Stops renewing the lease. */
  stop(): void {
    clearInterval(this.#timer);
  }

  /** A renewal that fails is repeated in time; one that is too late shows when the import is next moved on. */
  #renew(held: PromoImport): void {
    const leaseEndsAt = new Date(this.clock.now().getTime() + LEASE_MS);
    this.imports.renew(held, leaseEndsAt).catch(() => undefined);
  }
}
