import { Controller, Get, Param, Query } from '@nestjs/common';
import { ApiOkResponse, ApiOperation, ApiTags, ApiUnprocessableEntityResponse } from '@nestjs/swagger';
import { UninstallReportPath, UninstallReportQuery, UninstallReportResponse } from '@postrider/contracts';
import { RemovedTokensRepository } from '@postrider/persistence';
import { RequireScope } from '../auth/endpoint-access.decorator';
import { CurrentHeavyCaller, type HeavyCaller, HeavyReads, LOOK_LIMIT_MS } from '../heavy-reads/heavy-reads.service';

/** Devices whose apps were uninstalled, as far as vendors report it. */
@ApiTags('Events')
@RequireScope('read')
@Controller('api/installations/v1/uninstall/report')
export class UninstallReportController {
  constructor(
    private readonly heavyReads: HeavyReads,
    private readonly removedTokens: RemovedTokensRepository,
  ) {}

  @Get(':from/:to')
  @ApiOperation({ summary: 'List devices whose vendor token the vendor called dead in a span of time, oldest first' })
  @ApiOkResponse({ type: UninstallReportResponse })
  @ApiUnprocessableEntityResponse({ description: 'the span takes too long to look through' })
  async report(
    @CurrentHeavyCaller() caller: HeavyCaller,
    @Param() path: UninstallReportPath,
    @Query() { offset, limit, type }: UninstallReportQuery,
  ): Promise<UninstallReportResponse> {
    const [from, to] = path.from <= path.to ? [path.from, path.to] : [path.to, path.from];
    const filter = { from, to, isChurn: type === 'churn' };
    const { count, tokens } = await this.heavyReads.run(caller, { limitMs: LOOK_LIMIT_MS }, (executor) =>
      this.removedTokens.list(executor, caller.appId, filter, { offset, limit }),
    );
    const data = tokens.map(({ deadAt, ...token }) => ({ time: deadAt.toISOString(), ...token }));
    return { count, data };
  }
}
