import type { Clock } from '@postrider/domain';
import {
  type Database,
  PromoAssignmentsRepository,
  PromoCodesRepository,
  PromoImportsRepository,
  PromoSetsRepository,
  WebhookEventsRepository,
} from '@postrider/persistence';
import { PromoCodeClaims } from '../claiming/promo-code-claims.service';
import { PromoImporter } from '../importing/promo-importer.service';
import { SetSettlement } from '../importing/set-settlement.service';
import { StretchCopier } from '../importing/stretch-copier.service';

/** An importer on a database, as Nest would make it. */
export function makeImporter(database: Database, clock: Clock, maxPromoCodes = 20_000_000): PromoImporter {
  const [imports, codes, sets] = [
    new PromoImportsRepository(database),
    new PromoCodesRepository(),
    new PromoSetsRepository(database),
  ];
  const copier = new StretchCopier(database, { maxPromoCodes }, imports, codes);
  return new PromoImporter(
    clock,
    imports,
    sets,
    copier,
    new SetSettlement(database, clock, imports, codes, sets, new WebhookEventsRepository(database)),
  );
}

/** Makes the service that gives codes, as Nest would make it. */
export function makeClaims(database: Database): PromoCodeClaims {
  return new PromoCodeClaims(
    database,
    new PromoSetsRepository(database),
    new PromoAssignmentsRepository(database),
    new WebhookEventsRepository(database),
  );
}
