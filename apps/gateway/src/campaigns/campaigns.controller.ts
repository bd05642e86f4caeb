import { Body, Controller, Get, Param, Post, Query } from '@nestjs/common';
import {
  ApiBody,
  ApiConflictResponse,
  ApiCreatedResponse,
  ApiOkResponse,
  ApiOperation,
  ApiTags,
} from '@nestjs/swagger';
import {
  CAMPAIGNS_SCHEMA,
  type Listed,
  MESSAGE_SCHEMA,
  type MessageResponse,
  NEW_CAMPAIGN_SCHEMA,
  PLANNED_CAMPAIGN_SCHEMA,
  type PlannedCampaignResponse,
  readListMessages,
  readNewCampaign,
} from '@postrider/contracts';
import type { Caller } from '../auth/caller';
import { CurrentCaller } from '../auth/current-caller.decorator';
import { RequireScope } from '../auth/route-access.decorator';
import { ApiListQuery } from '../reading/list-query.decorator';
import { type CampaignResponse, Campaigns } from './campaigns.service';

/** Campaigns (operations, Reading what was sent). */
@ApiTags('Reading')
@RequireScope('read')
@Controller('api/push/campaigns')
export class CampaignsController {
  constructor(private readonly campaigns: Campaigns) {}

  @Post()
  @RequireScope('send')
  @ApiOperation({ summary: 'Make a campaign ahead of its first send' })
  @ApiBody({ schema: NEW_CAMPAIGN_SCHEMA })
  @ApiCreatedResponse({ schema: PLANNED_CAMPAIGN_SCHEMA })
  @ApiConflictResponse({ description: 'there is a campaign with this `trackId`' })
  async create(@CurrentCaller() { appId }: Caller, @Body() body: unknown): Promise<PlannedCampaignResponse> {
    return this.campaigns.create(appId, readNewCampaign(body));
  }

  @Get()
  @ApiOperation({ summary: 'List campaigns, newest first' })
  @ApiListQuery({ most: 200, usual: 50 }, 'trackId', 'clientId', 'userId', 'batchId')
  @ApiOkResponse({ schema: CAMPAIGNS_SCHEMA })
  async list(
    @CurrentCaller() { appId }: Caller,
    @Query() query: unknown,
  ): Promise<Listed<'campaigns', CampaignResponse>> {
    return this.campaigns.list(appId, readListMessages(query));
  }

  @Get(':id')
  @ApiOperation({ summary: 'Read a campaign and its totals' })
  @ApiOkResponse({ schema: { anyOf: [MESSAGE_SCHEMA, PLANNED_CAMPAIGN_SCHEMA] } })
  async read(
    @CurrentCaller() { appId }: Caller,
    @Param('id') id: string,
  ): Promise<MessageResponse | PlannedCampaignResponse> {
    return this.campaigns.find(appId, id);
  }
}
