import { Controller, Delete, Get, HttpCode, Param, Post, Put, Query } from '@nestjs/common';
import {
  ApiBody,
  ApiConflictResponse,
  ApiCreatedResponse,
  ApiOkResponse,
  ApiOperation,
  ApiTags,
  ApiUnprocessableEntityResponse,
} from '@nestjs/swagger';
import {
  CountGroupRequest,
  ExplainGroupRequest,
  SegmentChangesRequest,
  SegmentCountResponse,
  SegmentExplanationResponse,
  SegmentFieldsResponse,
  SegmentRequest,
  SegmentResponse,
  SegmentSizesQuery,
  SegmentSizesResponse,
  SegmentsQuery,
  SegmentsResponse,
} from '@postrider/contracts';
import { type Caller, CurrentCaller } from '../auth/caller';
import { RequireScope } from '../auth/endpoint-access.decorator';
import { CurrentHeavyCaller, type HeavyCaller } from '../heavy-reads/heavy-reads.service';
import { KnownFields } from './known-fields.service';
import { MeasureGroups } from './measure-groups.service';
import { RulesBody } from './saved-rules';
import { Segments } from './segments.service';

/** Groups of devices: saved, counted and explained. */
@ApiTags('Segments')
@RequireScope('send', 'read')
@Controller('api/segments')
export class SegmentsController {
  constructor(
    private readonly segments: Segments,
    private readonly measureGroups: MeasureGroups,
    private readonly knownFields: KnownFields,
  ) {}

  @Post()
  @RequireScope('send')
  @ApiOperation({ summary: 'Save a segment under a name' })
  @ApiBody({ type: SegmentRequest })
  @ApiCreatedResponse({ type: SegmentResponse })
  @ApiConflictResponse({ description: 'the name is taken, or the application has the maximum number of segments' })
  async create(@CurrentCaller() { appId }: Caller, @RulesBody() body: SegmentRequest): Promise<SegmentResponse> {
    return this.segments.create(appId, body);
  }

  @Get()
  @ApiOperation({ summary: 'List saved segments, newest first' })
  @ApiOkResponse({ type: SegmentsResponse })
  async list(@CurrentCaller() { appId }: Caller, @Query() query: SegmentsQuery): Promise<SegmentsResponse> {
    return this.segments.list(appId, query);
  }

  @Get('fields')
  @RequireScope('read')
  @ApiOperation({
    summary: 'List the fields that rules can use, and their values on the newest devices',
  })
  @ApiOkResponse({ type: SegmentFieldsResponse })
  async fields(@CurrentHeavyCaller() caller: HeavyCaller): Promise<SegmentFieldsResponse> {
    return this.knownFields.list(caller);
  }

  @Post('count')
  @HttpCode(200)
  @ApiOperation({ summary: 'Count a group: the devices that a message would reach, all devices, their users' })
  @ApiBody({ type: CountGroupRequest })
  @ApiOkResponse({ type: SegmentCountResponse })
  @ApiUnprocessableEntityResponse({ description: 'counting the group takes too long' })
  async count(
    @CurrentHeavyCaller() caller: HeavyCaller,
    @RulesBody() group: CountGroupRequest,
  ): Promise<SegmentCountResponse> {
    return this.measureGroups.count(caller, group);
  }

  @Post('explain')
  @HttpCode(200)
  @ApiOperation({ summary: 'Count a group rule by rule, and explain why a user is in it or not' })
  @ApiBody({ type: ExplainGroupRequest })
  @ApiOkResponse({ type: SegmentExplanationResponse })
  @ApiUnprocessableEntityResponse({ description: 'counting the group takes too long' })
  async explain(
    @CurrentHeavyCaller() caller: HeavyCaller,
    @RulesBody() group: ExplainGroupRequest,
  ): Promise<SegmentExplanationResponse> {
    return this.measureGroups.explain(caller, group);
  }

  @Get(':id')
  @ApiOperation({ summary: 'Read a saved segment' })
  @ApiOkResponse({ type: SegmentResponse })
  async read(@CurrentCaller() { appId }: Caller, @Param('id') id: string): Promise<SegmentResponse> {
    return this.segments.find(appId, id);
  }

  @Get(':id/sizes')
  @ApiOperation({ summary: 'Read the past sizes of a saved segment: hourly for two weeks, daily before that' })
  @ApiOkResponse({ type: SegmentSizesResponse })
  async sizes(
    @CurrentCaller() { appId }: Caller,
    @Param('id') id: string,
    @Query() query: SegmentSizesQuery,
  ): Promise<SegmentSizesResponse> {
    return this.segments.listSizes(appId, id, query);
  }

  @Put(':id')
  @RequireScope('send')
  @ApiOperation({ summary: 'Replace the name and the rules of a saved segment' })
  @ApiBody({ type: SegmentChangesRequest })
  @ApiOkResponse({ type: SegmentResponse })
  @ApiConflictResponse({
    description:
      'the name is taken, or the segment has another revision than the one named (`error.current` is the segment now); nothing was changed',
  })
  async replace(
    @CurrentCaller() { appId }: Caller,
    @Param('id') id: string,
    @RulesBody() body: SegmentChangesRequest,
  ): Promise<SegmentResponse> {
    return this.segments.replace(appId, id, body);
  }

  @Delete(':id')
  @RequireScope('send')
  @ApiOperation({ summary: 'Delete a saved segment' })
  @ApiOkResponse({ schema: { type: 'object', properties: { id: { type: 'string' } } } })
  async remove(@CurrentCaller() { appId }: Caller, @Param('id') id: string): Promise<{ id: string }> {
    await this.segments.remove(appId, id);
    return { id };
  }
}
