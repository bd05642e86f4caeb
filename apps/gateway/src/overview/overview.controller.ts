import { Controller, Get, Inject, Query } from '@nestjs/common';
import { ApiOkResponse, ApiOperation, ApiTags } from '@nestjs/swagger';
import { CampaignDaysResponse, OverviewQuery, OverviewResponse, overviewSince } from '@postrider/contracts';
import type { Clock } from '@postrider/domain';
import { CLOCK } from '@postrider/platform';
import { type Caller, CurrentCaller } from '../auth/caller';
import { RequireScope } from '../auth/endpoint-access.decorator';
import { ReadOverview } from './read-overview.service';

/** The overview of an application. */
@ApiTags('Reading')
@RequireScope('read')
@Controller('api/push/overview')
export class OverviewController {
  constructor(
    private readonly readOverview: ReadOverview,
    @Inject(CLOCK) private readonly clock: Clock,
  ) {}

  @Get()
  @ApiOperation({ summary: 'Read the state of the application: sends, devices, throughput, what needs attention' })
  @ApiOkResponse({ type: OverviewResponse })
  async read(@CurrentCaller() { appId }: Caller, @Query() query: OverviewQuery): Promise<OverviewResponse> {
    return this.readOverview.read(appId, overviewSince(query, this.clock.now()));
  }

  @Get('campaigns')
  @ApiOperation({ summary: 'Read the campaigns of the last 30 days by day, and what devices reported about them' })
  @ApiOkResponse({ type: CampaignDaysResponse })
  async campaignDays(@CurrentCaller() { appId }: Caller): Promise<CampaignDaysResponse> {
    return this.readOverview.readCampaignDays(appId);
  }
}
