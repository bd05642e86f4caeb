import { Module } from '@nestjs/common';
import { PromoImporter } from './promo-importer.service';
import { SetSettlement } from './set-settlement.service';
import { StretchCopier } from './stretch-copier.service';

/** Gives a process the `PromoImporter`. It has to have a database, a clock and its settings. */
@Module({ providers: [PromoImporter, SetSettlement, StretchCopier], exports: [PromoImporter] })
export class PromoImportsModule {}
