import { Controller, Get, Inject, Res } from '@nestjs/common';
import { ApiExcludeController } from '@nestjs/swagger';
import { HealthRegistry, METRICS } from '@postrider/platform';
import type { FastifyReply } from 'fastify';
import type { Registry } from 'prom-client';
import { Public } from '../auth/route-access.decorator';

/** Health and metrics of this process, on the gateway's own port (operations, Health). */
@ApiExcludeController()
@Public()
@Controller()
export class HealthController {
  constructor(
    private readonly health: HealthRegistry,
    @Inject(METRICS) private readonly metrics: Registry,
  ) {}

  @Get('health/live')
  live(): { status: 'live' } {
    return { status: 'live' };
  }

  @Get('health/ready')
  async ready(@Res() reply: FastifyReply): Promise<void> {
    const report = await this.health.report();
    await reply.code(report.ready ? 200 : 503).send(report);
  }

  @Get('metrics')
  async scrape(@Res() reply: FastifyReply): Promise<void> {
    await reply.type(this.metrics.contentType).send(await this.metrics.metrics());
  }
}
