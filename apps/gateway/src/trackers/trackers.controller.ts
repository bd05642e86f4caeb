import { Body, Controller, Delete, Get, Inject, Param, Patch, Post, Query, Req } from '@nestjs/common';
import { ApiBody, ApiCreatedResponse, ApiOkResponse, ApiOperation, ApiQuery, ApiTags } from '@nestjs/swagger';
import {
  CountResponse,
  type Listed,
  NEW_TRACKER_SCHEMA,
  readListTrackers,
  readNewTracker,
  readStats,
  readTrackerChanges,
  TRACKER_CHANGES_SCHEMA,
  TRACKER_SCHEMA,
  TRACKER_STATS_SCHEMA,
  type TrackerResponse,
  TRACKERS_SCHEMA,
  type TrackerStatsResponse,
} from '@postrider/contracts';
import type { Tracker } from '@postrider/persistence';
import { CONFIG, type Config } from '@postrider/platform';
import type { FastifyRequest } from 'fastify';
import type { Caller } from '../auth/caller';
import { CurrentCaller } from '../auth/current-caller.decorator';
import { RequireScope } from '../auth/route-access.decorator';
import { ApiListQuery } from '../reading/list-query.decorator';
import { ReadTrackerStats } from './read-tracker-stats.service';
import { trackerBase } from './tracker-address';
import { Trackers } from './trackers.service';

/** Trackers: links that count who follows them, and lead into the app or to its store (push-api, Deep links). */
@ApiTags('Trackers')
@RequireScope('read')
@Controller('api/trackers')
export class TrackersController {
  constructor(
    private readonly trackers: Trackers,
    private readonly stats: ReadTrackerStats,
    @Inject(CONFIG) private readonly config: Config,
  ) {}

  @Post()
  @RequireScope('send')
  @ApiOperation({ summary: 'Make a tracker' })
  @ApiBody({ schema: NEW_TRACKER_SCHEMA })
  @ApiCreatedResponse({ schema: TRACKER_SCHEMA })
  async create(
    @CurrentCaller() { appId }: Caller,
    @Req() request: FastifyRequest,
    @Body() body: unknown,
  ): Promise<TrackerResponse> {
    return this.#show(await this.trackers.create(appId, readNewTracker(body)), request);
  }

  @Get()
  @ApiOperation({ summary: 'List trackers, newest first' })
  @ApiListQuery({ most: 200, usual: 50 })
  @ApiOkResponse({ schema: TRACKERS_SCHEMA })
  async list(
    @CurrentCaller() { appId }: Caller,
    @Req() request: FastifyRequest,
    @Query() query: unknown,
  ): Promise<Listed<'trackers', TrackerResponse>> {
    const { trackers, nextCursor } = await this.trackers.list(appId, readListTrackers(query));
    return { trackers: trackers.map((tracker) => this.#show(tracker, request)), nextCursor };
  }

  @Get(':id')
  @ApiOperation({ summary: 'Read a tracker' })
  @ApiOkResponse({ schema: TRACKER_SCHEMA })
  async read(
    @CurrentCaller() { appId }: Caller,
    @Req() request: FastifyRequest,
    @Param('id') id: string,
  ): Promise<TrackerResponse> {
    return this.#show(await this.trackers.find(appId, id), request);
  }

  @Get(':id/stats')
  @ApiOperation({ summary: "Read a tracker's clicks, visitors and installations, by time and platform" })
  @ApiQuery({ name: 'from', required: false, schema: { type: 'string', format: 'date-time' } })
  @ApiQuery({ name: 'to', required: false, schema: { type: 'string', format: 'date-time' } })
  @ApiQuery({ name: 'interval', required: false, enum: ['hour', 'day'] })
  @ApiOkResponse({ schema: TRACKER_STATS_SCHEMA })
  async readStats(
    @CurrentCaller() { appId }: Caller,
    @Param('id') id: string,
    @Query() query: unknown,
  ): Promise<TrackerStatsResponse> {
    return this.stats.read(appId, id, readStats(query));
  }

  @Patch(':id')
  @RequireScope('send')
  @ApiOperation({ summary: 'Change a tracker' })
  @ApiBody({ schema: TRACKER_CHANGES_SCHEMA })
  @ApiOkResponse({ schema: TRACKER_SCHEMA })
  async change(
    @CurrentCaller() { appId }: Caller,
    @Req() request: FastifyRequest,
    @Param('id') id: string,
    @Body() body: unknown,
  ): Promise<TrackerResponse> {
    return this.#show(await this.trackers.change(appId, id, readTrackerChanges(body)), request);
  }

  @Delete(':id')
  @RequireScope('send')
  @ApiOperation({ summary: 'Remove a tracker: its links lead nowhere from now on' })
  @ApiOkResponse({ type: CountResponse })
  async remove(@CurrentCaller() { appId }: Caller, @Param('id') id: string): Promise<CountResponse> {
    return { count: await this.trackers.remove(appId, id) };
  }

  #show({ trackerId, createdAt, updatedAt, ...settings }: Tracker, request: FastifyRequest): TrackerResponse {
    return {
      id: trackerId,
      url: `${trackerBase(this.config, request)}/${trackerId}`,
      ...settings,
      createdAt: createdAt.toISOString(),
      updatedAt: updatedAt.toISOString(),
    };
  }
}
