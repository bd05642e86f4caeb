import { Body, Controller, Get, Param, Post, Query } from '@nestjs/common';
import {
  ApiConflictResponse,
  ApiCreatedResponse,
  ApiExtraModels,
  ApiOkResponse,
  ApiOperation,
  ApiTags,
  refs,
} from '@nestjs/swagger';
import {
  CampaignsResponse,
  ListMessagesQuery,
  MessageResponse,
  NewCampaignRequest,
  PlannedCampaignResponse,
} from '@postrider/contracts';
import type { Caller } from '../../auth/caller';
import { CurrentCaller } from '../../auth/current-caller.decorator';
import { RequireScope } from '../../auth/route-access.decorator';
import { Campaigns } from './campaigns.service';

/** Campaigns. */
@ApiTags('Reading')
@RequireScope('read')
@Controller('api/push/campaigns')
export class CampaignsController {
  constructor(private readonly campaigns: Campaigns) {}

  @Post()
  @RequireScope('send')
  @ApiOperation({ summary: 'Make a campaign ahead of its first send' })
  @ApiCreatedResponse({ type: PlannedCampaignResponse })
  @ApiConflictResponse({ description: 'there is a campaign with this `trackId`' })
  async create(@CurrentCaller() { appId }: Caller, @Body() body: NewCampaignRequest): Promise<PlannedCampaignResponse> {
    return this.campaigns.create(appId, body);
  }

  @Get()
  @ApiOperation({ summary: 'List campaigns, newest first' })
  @ApiOkResponse({ type: CampaignsResponse })
  async list(@CurrentCaller() { appId }: Caller, @Query() query: ListMessagesQuery): Promise<CampaignsResponse> {
    return this.campaigns.list(appId, query);
  }

  @Get(':id')
  @ApiOperation({ summary: 'Read a campaign and its totals' })
  @ApiExtraModels(MessageResponse, PlannedCampaignResponse)
  @ApiOkResponse({ schema: { anyOf: refs(MessageResponse, PlannedCampaignResponse) } })
  async read(
    @CurrentCaller() { appId }: Caller,
    @Param('id') id: string,
  ): Promise<MessageResponse | PlannedCampaignResponse> {
    return this.campaigns.find(appId, id);
  }
}
