import { Global, Module } from '@nestjs/common';
import { APP_FILTER, APP_PIPE } from '@nestjs/core';
import { CONFIG, type GatewayConfig } from '@postrider/platform';
import { BodyDeadlines } from './body-deadlines';
import { ProcessesCheck } from './processes.check';
import { BeginAgain } from './errors/begin-again.service';
import { ErrorFilter } from './errors/error.filter';
import { HealthController } from './health.controller';
import { HttpMetrics, RequestLog } from './observability/request-log.service';
import { RequestSpans } from './observability/request-spans.service';
import { RequestValidation } from './parsing/request-validation.pipe';
import { RedisEvictionCheck } from './redis-eviction.check';
import { RedisProblems } from './redis-problems';
import { RequestPipeline } from './request-pipeline.service';

/** The stages of every request (see `RequestPipeline`). */
@Global()
@Module({
  controllers: [HealthController],
  providers: [
    RequestPipeline,
    RequestLog,
    RequestSpans,
    HttpMetrics,
    { provide: BodyDeadlines, useFactory: (config: GatewayConfig) => new BodyDeadlines(config), inject: [CONFIG] },
    { provide: APP_PIPE, useClass: RequestValidation },
    BeginAgain,
    ProcessesCheck,
    RedisEvictionCheck,
    RedisProblems,
    { provide: APP_FILTER, useClass: ErrorFilter },
  ],
  exports: [RequestPipeline, HttpMetrics, RedisProblems],
})
export class HttpModule {}
