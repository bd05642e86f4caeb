import { Module } from '@nestjs/common';
import { FindAttention } from './find-attention.service';
import { OverviewController } from './overview.controller';
import { ReadOverview } from './read-overview.service';

/** How an application stands. */
@Module({ controllers: [OverviewController], providers: [ReadOverview, FindAttention] })
export class OverviewModule {}
