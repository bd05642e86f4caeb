import { Body, Controller, Delete, Get, HttpCode, Param, Post, Put, Query } from '@nestjs/common';
import {
  ApiBody,
  ApiConflictResponse,
  ApiCreatedResponse,
  ApiOkResponse,
  ApiOperation,
  ApiQuery,
  ApiTags,
  ApiUnprocessableEntityResponse,
} from '@nestjs/swagger';
import {
  COUNT_GROUP_SCHEMA,
  EXPLAIN_GROUP_SCHEMA,
  type Listed,
  readGroupRequest,
  readListSegments,
  readSegmentRequest,
  readSegmentSizes,
  SEGMENT_BODY_SCHEMA,
  SEGMENT_COUNT_SCHEMA,
  SEGMENT_EXPLANATION_SCHEMA,
  SEGMENT_SCHEMA,
  SEGMENT_SIZES_SCHEMA,
  type SegmentCountResponse,
  type SegmentExplanationResponse,
  type SegmentResponse,
  SEGMENTS_SCHEMA,
  type SegmentSizesResponse,
} from '@postrider/contracts';
import type { Caller } from '../auth/caller';
import { CurrentCaller } from '../auth/current-caller.decorator';
import { RequireScope } from '../auth/route-access.decorator';
import { CurrentHeavyCaller, type HeavyCaller } from '../heavy-reads/heavy-caller';
import { ApiListQuery } from '../reading/list-query.decorator';
import { MeasureGroups } from './measure-groups.service';
import { judged } from './read-judged';
import { Segments } from './segments.service';

const TIME = { type: 'string', format: 'date-time' } as const;

/** Groups of devices: kept under names, counted and explained. */
@ApiTags('Segments')
@RequireScope('send', 'read')
@Controller('api/segments')
export class SegmentsController {
  constructor(
    private readonly segments: Segments,
    private readonly measureGroups: MeasureGroups,
  ) {}

  @Post()
  @RequireScope('send')
  @ApiOperation({ summary: 'Keep a segment under a name' })
  @ApiBody({ schema: SEGMENT_BODY_SCHEMA })
  @ApiCreatedResponse({ schema: SEGMENT_SCHEMA })
  @ApiConflictResponse({ description: 'the name is taken, or there are as many segments as may be' })
  async create(@CurrentCaller() { appId }: Caller, @Body() body: unknown): Promise<SegmentResponse> {
    return this.segments.create(appId, judged(readSegmentRequest(body)));
  }

  @Get()
  @ApiOperation({ summary: 'List saved segments, newest first' })
  @ApiListQuery({ most: 200, usual: 50 })
  @ApiOkResponse({ schema: SEGMENTS_SCHEMA })
  async list(
    @CurrentCaller() { appId }: Caller,
    @Query() query: unknown,
  ): Promise<Listed<'segments', SegmentResponse>> {
    return this.segments.list(appId, readListSegments(query));
  }

  @Post('count')
  @HttpCode(200)
  @ApiOperation({ summary: 'Count a group: the devices that a message would reach, all devices, their users' })
  @ApiBody({ schema: COUNT_GROUP_SCHEMA })
  @ApiOkResponse({ schema: SEGMENT_COUNT_SCHEMA })
  @ApiUnprocessableEntityResponse({ description: 'the group takes too long to count' })
  async count(@CurrentHeavyCaller() caller: HeavyCaller, @Body() body: unknown): Promise<SegmentCountResponse> {
    return this.measureGroups.count(caller, judged(readGroupRequest(body)));
  }

  @Post('explain')
  @HttpCode(200)
  @ApiOperation({ summary: 'Count a group rule by rule, and say why a user is in it or not' })
  @ApiBody({ schema: EXPLAIN_GROUP_SCHEMA })
  @ApiOkResponse({ schema: SEGMENT_EXPLANATION_SCHEMA })
  @ApiUnprocessableEntityResponse({ description: 'the group takes too long to count' })
  async explain(@CurrentHeavyCaller() caller: HeavyCaller, @Body() body: unknown): Promise<SegmentExplanationResponse> {
    return this.measureGroups.explain(caller, judged(readGroupRequest(body)));
  }

  @Get(':id')
  @ApiOperation({ summary: 'Read a saved segment' })
  @ApiOkResponse({ schema: SEGMENT_SCHEMA })
  async read(@CurrentCaller() { appId }: Caller, @Param('id') id: string): Promise<SegmentResponse> {
    return this.segments.find(appId, id);
  }

  @Get(':id/sizes')
  @ApiOperation({ summary: 'Read how big a saved segment was: by the hour for two weeks, before that by the day' })
  @ApiQuery({ name: 'from', required: false, schema: TIME })
  @ApiQuery({ name: 'to', required: false, schema: TIME })
  @ApiOkResponse({ schema: SEGMENT_SIZES_SCHEMA })
  async sizes(
    @CurrentCaller() { appId }: Caller,
    @Param('id') id: string,
    @Query() query: unknown,
  ): Promise<SegmentSizesResponse> {
    return this.segments.listSizes(appId, id, readSegmentSizes(query));
  }

  @Put(':id')
  @RequireScope('send')
  @ApiOperation({ summary: 'Give a saved segment another name and other rules' })
  @ApiBody({ schema: SEGMENT_BODY_SCHEMA })
  @ApiOkResponse({ schema: SEGMENT_SCHEMA })
  @ApiConflictResponse({ description: 'the name is taken' })
  async replace(
    @CurrentCaller() { appId }: Caller,
    @Param('id') id: string,
    @Body() body: unknown,
  ): Promise<SegmentResponse> {
    return this.segments.replace(appId, id, judged(readSegmentRequest(body)));
  }

  @Delete(':id')
  @RequireScope('send')
  @ApiOperation({ summary: 'Forget a saved segment' })
  @ApiOkResponse({ schema: { type: 'object', properties: { id: { type: 'string' } } } })
  async remove(@CurrentCaller() { appId }: Caller, @Param('id') id: string): Promise<{ id: string }> {
    await this.segments.remove(appId, id);
    return { id };
  }
}
