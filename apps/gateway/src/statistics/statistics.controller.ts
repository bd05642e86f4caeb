import { applyDecorators, Controller, Get, Param, Query, Req, Res } from '@nestjs/common';
import { ApiOkResponse, ApiOperation, ApiQuery, ApiTags } from '@nestjs/swagger';
import { readStats, STATS_SCHEMA, type StatsResponse } from '@postrider/contracts';
import { DomainError } from '@postrider/domain';
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { Caller } from '../auth/caller';
import { CurrentCaller } from '../auth/current-caller.decorator';
import { RequireScope } from '../auth/route-access.decorator';
import { acceptsJson } from '../http/accepts-json';
import { ReadStats } from './read-stats.service';
import { statsCsv, wantsCsv } from './stats-csv';

const TIME = { type: 'string', format: 'date-time' } as const;

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
    @Query() query: unknown,
    @Req() request: FastifyRequest,
    @Res({ passthrough: true }) reply: FastifyReply,
  ): Promise<StatsResponse | string> {
    return this.#answer('message', caller, { id, query, request, reply });
  }

  @Get('campaigns/:id/stats')
  @ApiStats('Count what people did with all messages of a campaign, by time and platform')
  campaign(
    @CurrentCaller() caller: Caller,
    @Param('id') id: string,
    @Query() query: unknown,
    @Req() request: FastifyRequest,
    @Res({ passthrough: true }) reply: FastifyReply,
  ): Promise<StatsResponse | string> {
    return this.#answer('campaign', caller, { id, query, request, reply });
  }

  async #answer(
    kind: 'message' | 'campaign',
    { appId }: Caller,
    { id, query, request, reply }: { id: string; query: unknown; request: FastifyRequest; reply: FastifyReply },
  ): Promise<StatsResponse | string> {
    const asked = readStats(query);
    if (!wantsCsv(asked.format, request.headers.accept)) {
      if (!acceptsJson(request.headers.accept)) {
        throw new DomainError('NOT_ACCEPTABLE', 'The answer is application/json or text/csv');
      }
      return this.stats.read(appId, kind, id, asked);
    }
    const csv = statsCsv(await this.stats.count(appId, kind, id, asked));
    void reply
      .type('text/csv; charset=utf-8; header=present')
      .header('content-disposition', `attachment; filename="${kind}-stats.csv"`);
    return csv;
  }
}

function ApiStats(summary: string): MethodDecorator {
  return applyDecorators(
    ApiOperation({ summary }),
    ApiQuery({ name: 'from', required: false, schema: TIME }),
    ApiQuery({ name: 'to', required: false, schema: TIME }),
    ApiQuery({ name: 'interval', required: false, enum: ['hour', 'day'] }),
    ApiQuery({ name: 'format', required: false, enum: ['json', 'csv'] }),
    ApiOkResponse({
      content: { 'application/json': { schema: STATS_SCHEMA }, 'text/csv': { schema: { type: 'string' } } },
    }),
  );
}
