import { Inject, Injectable } from '@nestjs/common';
import { CONFIG, type GatewayConfig, LOGGER, type Logger } from '@postrider/platform';
import type { FastifyInstance } from 'fastify';
import { markRoutes } from '../../auth/route-access.decorator';
import type { EarlyAnswers } from '../../http/early-answers';
import { HttpMetrics } from '../../http/observability/http-metrics';
import { trackerRewrite } from '../tracker-address';
import { answerClick } from './answer-click';
import { FollowLink } from './follow-link.service';
import { addTrackerRoutes } from './tracker-routes';

/**
 * Leads whoever clicks a tracker link or a tracked link of a message to where it goes. Clicks on links that were followed lately are
 * answered early, before Fastify looks for a route; all others by routes of a plugin, for which nobody's access token is looked at.
 */
@Injectable()
export class LinkRedirector {
  constructor(
    private readonly followLink: FollowLink,
    private readonly metrics: HttpMetrics,
    @Inject(LOGGER) private readonly logger: Logger,
    @Inject(CONFIG) private readonly config: GatewayConfig,
  ) {}

  install(fastify: FastifyInstance, early: EarlyAnswers): void {
    const { followLink, metrics, logger } = this;
    const rewrite = trackerRewrite(this.config);
    early.use((request, response) => answerClick(request, response, { followLink, rewrite, logger, metrics }));
    void fastify.register((scope, _options, done) => {
      markRoutes(scope, { kind: 'anybody' });
      addTrackerRoutes(scope, followLink, logger);
      done();
    });
  }
}
