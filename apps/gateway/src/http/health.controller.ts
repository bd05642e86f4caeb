import { Controller, Get, Inject, Req, Res } from '@nestjs/common';
import { ApiExcludeController } from '@nestjs/swagger';
import { HealthRegistry, METRICS, scrape } from '@postrider/platform';
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { Registry } from 'prom-client';
import { Public } from '../auth/endpoint-access.decorator';
import { InternalPages } from '../auth/internal-pages.service';

/**
 * Health and metrics of this process, on the gateway's own port, which strangers can reach. Unless `PUBLIC_DOCS` is
 * set, they only learn if the gateway is ready. The operator's token and the health port show the rest.
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
  async ready(@Req() request: FastifyRequest, @Res() reply: FastifyReply): Promise<void> {
    const showsAll = await this.internal.admitsIfShown(request);
    const report = await this.health.report();
    const { ready } = report;
    if (!this.internal.arePublic) void reply.header('cache-control', 'no-store');
    await reply.code(ready ? 200 : 503).send(showsAll ? report : { ready });
  }

  @Get('metrics')
  async scrape(@Req() request: FastifyRequest, @Res() reply: FastifyReply): Promise<void> {
    await this.internal.admit(request, reply);
    await reply.type(this.metrics.contentType).send(await scrape(this.metrics));
  }
}
