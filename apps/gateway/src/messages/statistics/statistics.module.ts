import { Module } from '@nestjs/common';
import { ReadStats } from './read-stats.service';
import { StatsSubjects } from './stats-subjects.service';
import { StatisticsController } from './statistics.controller';

/** What people did with messages. */
@Module({ controllers: [StatisticsController], providers: [ReadStats, StatsSubjects] })
export class StatisticsModule {}
