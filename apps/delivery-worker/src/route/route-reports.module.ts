import { Global, Module } from '@nestjs/common';
import { RouteReports } from './route-reports.service';

/** Gives everything that has routes to vendors the one place to report them. Needs the platform and persistence modules. */
@Global()
@Module({ providers: [RouteReports], exports: [RouteReports] })
export class RouteReportsModule {}
