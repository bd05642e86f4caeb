import { DataSource } from 'typeorm';
import type { Secret } from '@postrider/platform';
import { ENTITIES } from './entities';
import { First1763730000000 } from '../migrations/1763730000000-first';
import { Audience1763740000000 } from '../migrations/1763740000000-audience';
import { Fallback1763750000000 } from '../migrations/1763750000000-fallback';
import { Promo1763760000000 } from '../migrations/1763760000000-promo';
import { Engagement1763780000000 } from '../migrations/1763780000000-engagement';
import { Connection1763770000000 } from '../migrations/1763770000000-connection';
import { Steering1763790000000 } from '../migrations/1763790000000-steering';
import { Webhooks1763800000000 } from '../migrations/1763800000000-webhooks';
import { Overview1763810000000 } from '../migrations/1763810000000-overview';
import { InFlight1763820000000 } from '../migrations/1763820000000-in-flight';
import { Subscribed1763830000000 } from '../migrations/1763830000000-subscribed';
import { Writes1763840000000 } from '../migrations/1763840000000-writes';
import { ConnectionLedger1763850000000 } from '../migrations/1763850000000-connection-ledger';
import { SegmentSizes1763860000000 } from '../migrations/1763860000000-segment-sizes';
import { SignIns1763950000000 } from '../migrations/1763950000000-sign-ins';
import { UnwrittenFallbacks1763970000000 } from '../migrations/1763970000000-unwritten-fallbacks';
import { TokenGuard1763920000000 } from '../migrations/1763920000000-token-guard';
import { WaitsFor1763910000000 } from '../migrations/1763910000000-waits-for';
import { Erasures1763980000000 } from '../migrations/1763980000000-erasures';
import { PageLosses1763870000000 } from '../migrations/1763870000000-page-losses';
import { UserProof1763880000000 } from '../migrations/1763880000000-user-proof';
import { ChangeOfHands1763900000000 } from '../migrations/1763900000000-change-of-hands';
import { ReportedEvents1763993000000 } from '../migrations/1763993000000-reported-events';
import { PagesWaitingAgain1763995000000 } from '../migrations/1763995000000-pages-waiting-again';
import { UnclaimedPages1763991000000 } from '../migrations/1763991000000-unclaimed-pages';
import { PhoneKeys1764300000000 } from '../migrations/1764300000000-phone-keys';
import { TokenDrift1764300001000 } from '../migrations/1764300001000-token-drift';

/** Every migration, oldest first. */
export const MIGRATIONS = [
  First1763730000000,
  Audience1763740000000,
  Fallback1763750000000,
  Promo1763760000000,
  Connection1763770000000,
  Engagement1763780000000,
  Steering1763790000000,
  Webhooks1763800000000,
  Overview1763810000000,
  InFlight1763820000000,
  Subscribed1763830000000,
  Writes1763840000000,
  ConnectionLedger1763850000000,
  SegmentSizes1763860000000,
  SignIns1763950000000,
  UnwrittenFallbacks1763970000000,
  TokenGuard1763920000000,
  WaitsFor1763910000000,
  PageLosses1763870000000,
  UserProof1763880000000,
  ChangeOfHands1763900000000,
  Erasures1763980000000,
  ReportedEvents1763993000000,
  UnclaimedPages1763991000000,
  PhoneKeys1764300000000,
  TokenDrift1764300001000,
  PagesWaitingAgain1763995000000,
];

/**
 * A TypeORM data source on `databaseUrl`, not yet connected. Text never becomes SQL: statements take parameters.
 *
 * @param poolSize most connections this process opens
 */
export function createDataSource(databaseUrl: Secret, poolSize: number, applicationName = 'postrider'): DataSource {
  return new DataSource({
    type: 'postgres',
    url: databaseUrl.reveal(),
    poolSize,
    applicationName,
    entities: ENTITIES,
    migrations: MIGRATIONS,
    migrationsTransactionMode: 'each',
    synchronize: false,
    logging: false,
    extra: { statement_timeout: 60_000, connectionTimeoutMillis: 5_000 },
  });
}
