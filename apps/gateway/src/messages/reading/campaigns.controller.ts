import { Body, Controller, Get, HttpCode, Param, Post, Query } from '@nestjs/common';
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
  ChosenWinnerRequest,
  ListMessagesQuery,
  MessageResponse,
  NewCampaignRequest,
  PlannedCampaignResponse,
} from '@postrider/contracts';
import { type Caller, CurrentCaller } from '../../auth/caller';
import { RequireScope } from '../../auth/endpoint-access.decorator';
import { Campaigns } from './campaigns.service';
import { ChooseWinnerByHand } from './choose-winner.service';

/** Campaigns. */
@ApiTags('Reading')
@RequireScope('read')
@Controller('api/push/campaigns')
export class CampaignsController {
  constructor(
    private readonly campaigns: Campaigns,
    private readonly winner: ChooseWinnerByHand,
  ) {}

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
  @ApiOperation({ summary: 'Read a campaign and its totals, by its id or its `trackId`' })
  @ApiExtraModels(MessageResponse, PlannedCampaignResponse)
  @ApiOkResponse({ schema: { anyOf: refs(MessageResponse, PlannedCampaignResponse) } })
  async read(
    @CurrentCaller() { appId }: Caller,
    @Param('id') id: string,
  ): Promise<MessageResponse | PlannedCampaignResponse> {
    return this.campaigns.find(appId, id);
  }

  @Post(':id/winner')
  @HttpCode(200)
  @RequireScope('send')
  @ApiOperation({ summary: 'Choose the winner among the variants of a campaign; the users who wait for it get it' })
  @ApiOkResponse({ type: MessageResponse })
  @ApiConflictResponse({ description: 'the winner was chosen before, or there is none to choose' })
  async chooseWinner(
    @CurrentCaller() { appId }: Caller,
    @Param('id') id: string,
    @Body() { variant }: ChosenWinnerRequest,
  ): Promise<MessageResponse> {
    return this.winner.choose(appId, id, variant);
  }
}
