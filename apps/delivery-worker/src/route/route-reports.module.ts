import { Global, Module } from '@nestjs/common';
import { RouteReports } from './route-reports.service';

/**
 * Offers one place where everything that has routes to vendors reports them. Needs the platform and persistence
 * modules.
 */
@Global()
@Module({ providers: [RouteReports], exports: [RouteReports] })
export class RouteReportsModule {}
