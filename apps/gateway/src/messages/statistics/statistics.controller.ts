import { applyDecorators, Controller, Get, Param, Query, Req, Res, StreamableFile } from '@nestjs/common';
import { ApiOkResponse, ApiOperation, ApiParam, ApiTags } from '@nestjs/swagger';
import { StatsListQuery, StatsListResponse, StatsQuery, StatsResponse } from '@postrider/contracts';
import { DomainError } from '@postrider/domain';
import type { NamedCounts } from '@postrider/persistence';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { type Caller, CurrentCaller } from '../../auth/caller';
import { RequireScope } from '../../auth/endpoint-access.decorator';
import { announceCsv, ApiJsonOrCsv, wantsCsv } from '../../http/csv';
import { ReadStats } from './read-stats.service';

const LISTS: NamedCounts[] = ['actions', 'links', 'revenue'];

/** What people did with messages. */
@ApiTags('Reading')
@RequireScope('read')
@Controller('api/push')
export class StatisticsController {
  constructor(private readonly stats: ReadStats) {}

  @Get('messages/:id/stats')
  @ApiStats('Count what people did with a message, by time and platform')
  message(
    @CurrentCaller() caller: Caller,
    @Param('id') id: string,
    @Query() query: StatsQuery,
    @Req() request: FastifyRequest,
    @Res({ passthrough: true }) reply: FastifyReply,
  ): Promise<StatsResponse | StreamableFile> {
    return this.#answer('message', caller, { id, query, request, reply });
  }

  @Get('campaigns/:id/stats')
  @ApiStats('Count the reactions to all messages of a campaign, by time and platform')
  campaign(
    @CurrentCaller() caller: Caller,
    @Param('id') id: string,
    @Query() query: StatsQuery,
    @Req() request: FastifyRequest,
    @Res({ passthrough: true }) reply: FastifyReply,
  ): Promise<StatsResponse | StreamableFile> {
    return this.#answer('campaign', caller, { id, query, request, reply });
  }

  @Get('messages/:id/stats/:list')
  @ApiStatsList('List all actions, links or currencies of a message, most frequent first')
  messageList(
    @CurrentCaller() { appId }: Caller,
    @Param('id') id: string,
    @Param('list') list: string,
    @Query() query: StatsListQuery,
  ): Promise<StatsListResponse> {
    return this.stats.list(appId, { kind: 'message', id, of: readList(list) }, query);
  }

  @Get('campaigns/:id/stats/:list')
  @ApiStatsList('List all actions, links or currencies of a campaign, most frequent first')
  campaignList(
    @CurrentCaller() { appId }: Caller,
    @Param('id') id: string,
    @Param('list') list: string,
    @Query() query: StatsListQuery,
  ): Promise<StatsListResponse> {
    return this.stats.list(appId, { kind: 'campaign', id, of: readList(list) }, query);
  }

  async #answer(
    kind: 'message' | 'campaign',
    { appId }: Caller,
    { id, query, request, reply }: { id: string; query: StatsQuery; request: FastifyRequest; reply: FastifyReply },
  ): Promise<StatsResponse | StreamableFile> {
    if (!wantsCsv(query.format, request)) return this.stats.read(appId, kind, id, query);
    const csv = await this.stats.open(appId, kind, id, query);
    void announceCsv(reply, `${kind}-stats.csv`);
    return new StreamableFile(csv);
  }
}

function readList(list: string): NamedCounts {
  const found = LISTS.find((one) => one === list);
  if (!found) throw new DomainError('NOT_FOUND', `There is no such list; the lists are ${LISTS.join(', ')}`);
  return found;
}

function ApiStatsList(summary: string): MethodDecorator {
  return applyDecorators(
    ApiOperation({ summary }),
    ApiParam({ name: 'list', enum: LISTS }),
    ApiOkResponse({ type: StatsListResponse }),
  );
}

function ApiStats(summary: string): MethodDecorator {
  return applyDecorators(ApiOperation({ summary }), ApiJsonOrCsv(StatsResponse));
}
