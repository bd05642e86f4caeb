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
import { type Caller, CurrentCaller } from '../../auth/caller';
import { RequireScope } from '../../auth/endpoint-access.decorator';
import { Campaigns } from './campaigns.service';

/** Campaigns. */
@ApiTags('Reading')
@RequireScope('read')
@Controller('api/push/campaigns')
export class CampaignsController {
  constructor(private readonly campaigns: Campaigns) {}

  @Post()
  @RequireScope('send')
  @ApiOperation({ summary: 'Create a campaign before its first send' })
  @ApiCreatedResponse({ type: PlannedCampaignResponse })
  @ApiConflictResponse({ description: 'a campaign with this `trackId` exists' })
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
