import { type Reach, versionSortKey } from '@postrider/domain';
import { edgeIsAlive, isProvedBy, isProvedIn, type Parameter, parameter, sql, type Sql } from '@postrider/persistence';
import { type AudienceSelection, compileMembership, type MembershipSql } from './audience-selection';
import { isHeldOut } from './campaign-split';

/** Android 8 (O): from this version on, as on iOS, no connection outlives the app. */
const ANDROID_O = parameter(versionSortKey('8'));

const NO_VENDOR = sql`CASE WHEN i.token IS NULL OR i.push_type IS NULL THEN 'no_token'
  WHEN i.usable_vendor IS NULL THEN 'token_invalid' ELSE 'vendor_not_configured' END`;

/** The vendor of a device's token, connected or not: a skipped device is recorded under it. */
export const TOKEN_VENDOR = sql`CASE WHEN i.token IS NOT NULL THEN i.push_type END`;

/**
 * Returns the routing of an audience: users in the holdout of a campaign are not reached.
 * @param presenceRange as of `RoutingSql`
 */
export function routingOf(
  { reach, split }: Pick<AudienceSelection, 'reach' | 'split'>,
  app: Parameter,
  presenceRange?: Sql,
): RoutingSql {
  return new RoutingSql(reach, app, presenceRange, split ? isHeldOut(app, split) : null);
}

/** The devices of an audience, as parts of one statement over alias `i`, an installation. */
interface AudienceSql {
  /** The application's id. */
  app: Parameter;
  routing: RoutingSql;
  membership: MembershipSql;
}

/** Compiles an audience. @throws InvalidRequest if its rules are not within the segment language */
export function compileAudience(selection: AudienceSelection): AudienceSql {
  const app = parameter(selection.appId);
  return { app, routing: routingOf(selection, app), membership: compileMembership(selection, app) };
}

/**
 * `routeDevice` of the domain as SQL over alias `i`, an installation of one application. Every member is a part of one
 * statement; `vendor` and `reason` need `join` in its FROM.
 */
export class RoutingSql {
  /**
   * @param app the application's id
   * @param presenceRange which presence rows (alias `p`) can matter, if the statement reads a range of ids; null: the
   *   presence of each installation is looked up by key, and the join has to be in a subquery of few installations
   * @param heldOut a condition: the installation's user gets nothing of this campaign; null: everybody may
   * @param leastProof the proof that the application requires, where the statement has read it; null: it is read
   */
  constructor(
    private readonly reach: Reach,
    private readonly app: Parameter,
    private readonly presenceRange: Sql | null = sql`true`,
    private readonly heldOut: Sql | null = null,
    private readonly leastProof: Sql | null = null,
  ) {}

  /**
   * Joins the tables that `vendor` needs beside the installation; for `live` it also leaves out devices that are not
   * connected.
   */
  get join(): Sql {
    if (this.reach === 'notify') return sql``;
    const kind = this.reach === 'live' ? sql`JOIN` : sql`LEFT JOIN`;
    // Without statistics, a join might compare every user with every connected device.
    if (this.presenceRange === null)
      return sql`${kind} LATERAL (
        SELECT p.id, p.edge_id FROM presence p
        WHERE p.app_id = ${this.app} AND p.id = i.id
          AND p.edge_id = ANY (ARRAY(SELECT e.edge_id FROM edges e WHERE ${edgeIsAlive(sql`e`)})) LIMIT 1
      ) c ON true`;
    return sql`${kind} (${this.#connected}) c ON c.id = i.id`;
  }

  /** The vendor or connection by which the device is reached; null if it is not. */
  get vendor(): Sql {
    return sql`CASE WHEN ${this.#isProved}${this.#isInCampaign} THEN ${this.#way} END`;
  }

  get #isInCampaign(): Sql {
    return this.heldOut === null ? sql`` : sql` AND NOT (${this.heldOut})`;
  }

  get #way(): Sql {
    switch (this.reach) {
      case 'live':
        return sql`'connection'`;
      case 'inApp':
        return sql`CASE WHEN ${this.#usesConnection} THEN 'connection' END`;
      case 'notify':
        return sql`CASE WHEN ${this.#hasVendor} THEN i.usable_vendor END`;
      case 'any':
        return sql`CASE WHEN c.id IS NOT NULL THEN 'connection' WHEN ${this.#hasVendor} THEN i.usable_vendor
          WHEN i.uses_connection THEN 'connection' END`;
    }
  }

  /** The edge that holds the device's connection; null if there is none, or the message does not use it. */
  get edge(): Sql {
    if (this.reach === 'notify') return sql`NULL::text`;
    return this.heldOut === null ? sql`c.edge_id` : sql`CASE WHEN NOT (${this.heldOut}) THEN c.edge_id END`;
  }

  /** True if the device has a `vendor`. It works without `join`: it reads the presence of few devices only. */
  get isReachable(): Sql {
    return sql`(${this.#isProved}${this.#isInCampaign} AND ${this.#hasWay})`;
  }

  /** The vendor without credentials that a device waits for, which nothing else reaches; null if it waits for none. */
  get missingVendor(): Sql {
    if (this.reach === 'live' || this.reach === 'inApp') return sql`NULL::text`;
    return sql`CASE WHEN ${this.#isProved}${this.#isInCampaign} AND NOT ${this.#hasWay} THEN i.usable_vendor END`;
  }

  get #hasWay(): Sql {
    const isConnected = sql`i.id IN (SELECT id FROM (${this.#connected}) connected)`;
    switch (this.reach) {
      case 'live':
        return isConnected;
      case 'inApp':
        return sql`(i.uses_connection OR ${isConnected})`;
      case 'notify':
        return this.#hasVendor;
      case 'any':
        return sql`(${this.#hasVendor} OR i.uses_connection OR ${isConnected})`;
    }
  }

  /**
   * Why the device waits or is skipped, if `vendor` is `connection` or null. Of the devices in the holdout, only those
   * that could be reached have the reason `holdout`: they are compared with the devices that were sent to.
   */
  get reason(): Sql {
    const holdout = this.heldOut && sql` WHEN (${this.heldOut}) AND (${this.#way}) IS NOT NULL THEN 'holdout'`;
    return sql`CASE WHEN NOT ${this.#isProved} THEN 'user_not_proved'${holdout ?? sql``} ELSE ${this.#reasonOfProved()} END`;
  }

  #reasonOfProved(): Sql {
    if (this.reach === 'notify') return sql`(${NO_VENDOR})`;
    const waits = sql`CASE WHEN i.protected OR i.device_type = 'ios'
        OR (i.device_type = 'android' AND i.os_version_key >= ${ANDROID_O})
      THEN 'waits_for_app' ELSE 'waits_for_connection' END`;
    const skipped = this.reach === 'inApp' ? sql`'no_connection'` : NO_VENDOR;
    return sql`CASE WHEN ${this.#usesConnection} THEN ${waits} ELSE ${skipped} END`;
  }

  get #isProved(): Sql {
    return this.leastProof === null ? isProvedIn(this.app) : isProvedBy(this.leastProof);
  }

  get #usesConnection(): Sql {
    return sql`(i.uses_connection OR c.id IS NOT NULL)`;
  }

  get #hasVendor(): Sql {
    return sql`i.usable_vendor = ANY (ARRAY(SELECT v.vendor FROM vendor_credentials v WHERE v.app_id = ${this.app}))`;
  }

  get #connected(): Sql {
    return sql`SELECT p.id, p.edge_id FROM presence p JOIN edges e ON e.edge_id = p.edge_id
      WHERE p.app_id = ${this.app} AND ${edgeIsAlive(sql`e`)} AND ${this.presenceRange ?? sql`true`}`;
  }
}
