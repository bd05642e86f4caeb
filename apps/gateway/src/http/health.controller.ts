import { Controller, Get, Inject, Req, Res } from '@nestjs/common';
import { ApiExcludeController } from '@nestjs/swagger';
import { HealthRegistry, METRICS } from '@postrider/platform';
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { Registry } from 'prom-client';
import { Public } from '../auth/route-access.decorator';
import { InternalPages } from '../auth/internal-pages.service';

/**
 * Health and metrics of this process, on the gateway's own port. Strangers reach it: unless `PUBLIC_DOCS` says
 * otherwise they learn whether the gateway is ready, and no more. The health port tells the rest.
 */
@ApiExcludeController()
@Public()
@Controller()
export class HealthController {
  constructor(
    private readonly health: HealthRegistry,
    private readonly internal: InternalPages,
    @Inject(METRICS) private readonly metrics: Registry,
  ) {}

  @Get('health/live')
  live(): { status: 'live' } {
    return { status: 'live' };
  }

  @Get('health/ready')
  async ready(@Res() reply: FastifyReply): Promise<void> {
    const report = await this.health.report();
    const { ready } = report;
    await reply.code(ready ? 200 : 503).send(this.internal.arePublic ? report : { ready });
  }

  @Get('metrics')
  async scrape(@Req() request: FastifyRequest, @Res() reply: FastifyReply): Promise<void> {
    await this.internal.admit(request, reply);
    await reply.type(this.metrics.contentType).send(await this.metrics.metrics());
  }
}
