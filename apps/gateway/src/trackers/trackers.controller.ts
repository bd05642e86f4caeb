import { Body, Controller, Delete, Get, Inject, Param, Patch, Post, Query, Req } from '@nestjs/common';
import { ApiCreatedResponse, ApiOkResponse, ApiOperation, ApiTags } from '@nestjs/swagger';
import {
  CountResponse,
  NewTrackerRequest,
  TrackerChangesRequest,
  TrackerResponse,
  TrackersQuery,
  TrackersResponse,
  TrackerStatsQuery,
  TrackerStatsResponse,
} from '@postrider/contracts';
import type { Tracker } from '@postrider/persistence';
import { CONFIG, type Config } from '@postrider/platform';
import type { FastifyRequest } from 'fastify';
import { type Caller, CurrentCaller } from '../auth/caller';
import { RequireScope } from '../auth/endpoint-access.decorator';
import { ReadTrackerStats } from './read-tracker-stats.service';
import { trackerBase } from './tracker-address';
import { Trackers } from './trackers.service';

/** Trackers: links that count who follows them, and lead into the app or to its store. */
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
  @ApiOperation({ summary: 'Create a tracker' })
  @ApiCreatedResponse({ type: TrackerResponse })
  async create(
    @CurrentCaller() { appId }: Caller,
    @Req() request: FastifyRequest,
    @Body() body: NewTrackerRequest,
  ): Promise<TrackerResponse> {
    return this.#show(await this.trackers.create(appId, body), request);
  }

  @Get()
  @ApiOperation({ summary: 'List trackers, newest first' })
  @ApiOkResponse({ type: TrackersResponse })
  async list(
    @CurrentCaller() { appId }: Caller,
    @Req() request: FastifyRequest,
    @Query() query: TrackersQuery,
  ): Promise<TrackersResponse> {
    const { trackers, nextCursor } = await this.trackers.list(appId, query);
    return { trackers: trackers.map((tracker) => this.#show(tracker, request)), nextCursor };
  }

  @Get(':id')
  @ApiOperation({ summary: 'Read a tracker' })
  @ApiOkResponse({ type: TrackerResponse })
  async read(
    @CurrentCaller() { appId }: Caller,
    @Req() request: FastifyRequest,
    @Param('id') id: string,
  ): Promise<TrackerResponse> {
    return this.#show(await this.trackers.find(appId, id), request);
  }

  @Get(':id/stats')
  @ApiOperation({ summary: "Read a tracker's clicks, visitors and installations, by time and platform" })
  @ApiOkResponse({ type: TrackerStatsResponse })
  async readStats(
    @CurrentCaller() { appId }: Caller,
    @Param('id') id: string,
    @Query() query: TrackerStatsQuery,
  ): Promise<TrackerStatsResponse> {
    return this.stats.read(appId, id, query);
  }

  @Patch(':id')
  @RequireScope('send')
  @ApiOperation({ summary: 'Change a tracker' })
  @ApiOkResponse({ type: TrackerResponse })
  async change(
    @CurrentCaller() { appId }: Caller,
    @Req() request: FastifyRequest,
    @Param('id') id: string,
    @Body() body: TrackerChangesRequest,
  ): Promise<TrackerResponse> {
    return this.#show(await this.trackers.change(appId, id, body), request);
  }

  @Delete(':id')
  @RequireScope('send')
  @ApiOperation({ summary: 'Remove a tracker; its links stop working' })
  @ApiOkResponse({ type: CountResponse })
  async remove(@CurrentCaller() { appId }: Caller, @Param('id') id: string): Promise<CountResponse> {
    await this.trackers.remove(appId, id);
    return { count: 1 };
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
