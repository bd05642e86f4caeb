import { type Reach, versionSortKey } from '@postrider/domain';
import { edgeIsAlive, isProvedIn } from '@postrider/persistence';
import type { SqlParameters } from '../sql/sql-parameters';

/** Android 8 (O): from there on, as on iOS, no connection outlives the app (device-protocol, The own connection). */
const ANDROID_O = versionSortKey('8');

const NO_VENDOR = `CASE WHEN i.token IS NULL OR i.push_type IS NULL THEN 'no_token'
  WHEN i.usable_vendor IS NULL THEN 'token_invalid' ELSE 'vendor_not_configured' END`;

/**
 * `routeDevice` of the domain as SQL over alias `i`, an installation of one application. Every member is a piece of one
 * statement; `vendor` and `reason` need `join` in its FROM.
 */
export class RoutingSql {
  /**
   * @param app placeholder of the application's id
   * @param presenceRange which presence rows (alias `p`) can matter, where the statement looks at a range of ids; null: each
   *   installation's is looked up by key, and the join has to stand in a subquery of few of them
   */
  constructor(
    private readonly reach: Reach,
    private readonly app: string,
    private readonly parameters: SqlParameters,
    private readonly presenceRange: string | null = 'true',
  ) {}

  /** Joins what `vendor` needs beside the installation; for `live` it also leaves out whoever is not connected. */
  get join(): string {
    if (this.reach === 'notify') return '';
    const kind = this.reach === 'live' ? 'JOIN' : 'LEFT JOIN';
    // A join might, for want of statistics, compare every user with every connected device.
    if (this.presenceRange === null)
      return `${kind} LATERAL (
        SELECT p.id, p.edge_id FROM presence p
        WHERE p.app_id = ${this.app} AND p.id = i.id
          AND p.edge_id = ANY (ARRAY(SELECT e.edge_id FROM edges e WHERE ${edgeIsAlive('e')})) LIMIT 1
      ) c ON true`;
    return `${kind} (${this.#connected}) c ON c.id = i.id`;
  }

  /** The way that the device is reached; null when there is none. */
  get vendor(): string {
    return `CASE WHEN ${this.#isProved} THEN ${this.#way} END`;
  }

  get #way(): string {
    switch (this.reach) {
      case 'live':
        return `'connection'`;
      case 'inApp':
        return `CASE WHEN ${this.#usesConnection} THEN 'connection' END`;
      case 'notify':
        return `CASE WHEN ${this.#hasVendor} THEN i.usable_vendor END`;
      case 'any':
        return `CASE WHEN c.id IS NOT NULL THEN 'connection' WHEN ${this.#hasVendor} THEN i.usable_vendor
          WHEN i.uses_connection THEN 'connection' END`;
    }
  }

  /** The edge that holds the device's connection; null where there is none, or the message does not go over it. */
  get edge(): string {
    return this.reach === 'notify' ? 'NULL::text' : 'c.edge_id';
  }

  /** Whether `vendor` would not be null, without `join`: the presence of few devices is ever looked at. */
  get isReachable(): string {
    return `(${this.#isProved} AND ${this.#hasWay})`;
  }

  get #hasWay(): string {
    const isConnected = `i.id IN (SELECT id FROM (${this.#connected}) connected)`;
    switch (this.reach) {
      case 'live':
        return isConnected;
      case 'inApp':
        return `(i.uses_connection OR ${isConnected})`;
      case 'notify':
        return this.#hasVendor;
      case 'any':
        return `(${this.#hasVendor} OR i.uses_connection OR ${isConnected})`;
    }
  }

  /** Why the device waits or is skipped, where `vendor` is `connection` or null. Adds a parameter: to be read once. */
  reason(): string {
    return `CASE WHEN NOT ${this.#isProved} THEN 'user_not_proved' ELSE ${this.#reasonOfProved()} END`;
  }

  #reasonOfProved(): string {
    if (this.reach === 'notify') return `(${NO_VENDOR})`;
    const waits = `CASE WHEN i.protected OR i.device_type = 'ios'
        OR (i.device_type = 'android' AND i.os_version_key >= ${this.parameters.add(ANDROID_O)})
      THEN 'waits_for_app' ELSE 'waits_for_connection' END`;
    const skipped = this.reach === 'inApp' ? `'no_connection'` : NO_VENDOR;
    return `CASE WHEN ${this.#usesConnection} THEN ${waits} ELSE ${skipped} END`;
  }

  get #isProved(): string {
    return isProvedIn(this.app);
  }

  get #usesConnection(): string {
    return '(i.uses_connection OR c.id IS NOT NULL)';
  }

  get #hasVendor(): string {
    return `i.usable_vendor = ANY (ARRAY(SELECT v.vendor FROM vendor_credentials v WHERE v.app_id = ${this.app}))`;
  }

  get #connected(): string {
    return `SELECT p.id, p.edge_id FROM presence p JOIN edges e ON e.edge_id = p.edge_id
      WHERE p.app_id = ${this.app} AND ${edgeIsAlive('e')} AND ${this.presenceRange ?? 'true'}`;
  }
}
