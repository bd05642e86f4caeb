import { Body, Controller, Get, Param, Put, Query, Res } from '@nestjs/common';
import {
  ApiBody,
  ApiConflictResponse,
  ApiOkResponse,
  ApiOperation,
  ApiQuery,
  ApiResponse,
  ApiTags,
} from '@nestjs/swagger';
import {
  type Listed,
  PROMO_ASSIGNMENTS_SCHEMA,
  PROMO_JOB_SCHEMA,
  PROMO_SET_CHANGE_SCHEMA,
  PROMO_SET_SCHEMA,
  PROMO_SETS_SCHEMA,
  type PromoAssignmentResponse,
  type PromoJobResponse,
  type PromoSetResponse,
  readListPromoAssignments,
  readListPromoSets,
  readPromoSetChange,
} from '@postrider/contracts';
import type { FastifyReply } from 'fastify';
import type { Caller } from '../auth/caller';
import { CurrentCaller } from '../auth/current-caller.decorator';
import { RequireScope } from '../auth/route-access.decorator';
import { ApiListQuery } from '../reading/list-query.decorator';
import { ExportAssignments } from './export-assignments.service';
import { PromoSets } from './promo-sets.service';

/** Promo sets, their uploads, and who was given which code. `:id` of the application names its global set in force. */
@ApiTags('Promo codes')
@RequireScope('promo', 'read')
@Controller('api/promo')
export class PromoSetsController {
  constructor(
    private readonly promoSets: PromoSets,
    private readonly exportAssignments: ExportAssignments,
  ) {}

  @Get('sets')
  @ApiOperation({ summary: 'List promo sets, newest first' })
  @ApiQuery({ name: 'inForce', required: false, schema: { type: 'boolean' } })
  @ApiListQuery({ most: 200, usual: 50 }, 'trackId')
  @ApiOkResponse({ schema: PROMO_SETS_SCHEMA })
  async list(@CurrentCaller() { appId }: Caller, @Query() query: unknown): Promise<Listed<'sets', PromoSetResponse>> {
    return this.promoSets.list(appId, readListPromoSets(query));
  }

  @Get('sets/:id')
  @ApiOperation({ summary: 'Read a promo set: how many codes are given, and how many are left' })
  @ApiOkResponse({ schema: PROMO_SET_SCHEMA })
  async read(@CurrentCaller() { appId }: Caller, @Param('id') id: string): Promise<PromoSetResponse> {
    return this.promoSets.find(appId, id);
  }

  @Put('sets/:id')
  @RequireScope('promo')
  @ApiOperation({ summary: 'Say at how many codes left a promo set counts as low; later sets take it over' })
  @ApiBody({ schema: PROMO_SET_CHANGE_SCHEMA })
  @ApiConflictResponse({ description: 'the set is no longer in force' })
  @ApiOkResponse({ schema: PROMO_SET_SCHEMA })
  async change(
    @CurrentCaller() { appId }: Caller,
    @Param('id') id: string,
    @Body() body: unknown,
  ): Promise<PromoSetResponse> {
    return this.promoSets.change(appId, id, readPromoSetChange(body));
  }

  @Get('sets/:id/assignments')
  @ApiOperation({ summary: 'List who was given which code of a promo set' })
  @ApiListQuery({ most: 1_000, usual: 100 }, 'user', 'message')
  @ApiOkResponse({ schema: PROMO_ASSIGNMENTS_SCHEMA })
  async assignments(
    @CurrentCaller() { appId }: Caller,
    @Param('id') id: string,
    @Query() query: unknown,
  ): Promise<Listed<'assignments', PromoAssignmentResponse>> {
    return this.promoSets.listAssignments(appId, id, readListPromoAssignments(query));
  }

  @Get('sets/:id/assignments/export')
  @ApiOperation({ summary: 'Write who was given which code of a promo set as CSV' })
  @ApiListQuery({ most: 1_000, usual: 100 }, 'user', 'message')
  @ApiResponse({ status: 200, content: { 'text/csv': { schema: { type: 'string' } } } })
  async exportCsv(
    @CurrentCaller() { appId }: Caller,
    @Param('id') id: string,
    @Query() query: unknown,
    @Res() reply: FastifyReply,
  ): Promise<void> {
    const csv = await this.exportAssignments.open(appId, id, readListPromoAssignments(query));
    await reply
      .code(200)
      .type('text/csv; charset=utf-8; header=present')
      .header('content-disposition', 'attachment; filename="promo-codes.csv"')
      .send(csv);
  }

  @Get('jobs/:id')
  @ApiOperation({ summary: 'Read how far an upload of promo codes is' })
  @ApiOkResponse({ schema: PROMO_JOB_SCHEMA })
  async job(@CurrentCaller() { appId }: Caller, @Param('id') id: string): Promise<PromoJobResponse> {
    return this.promoSets.findJob(appId, id);
  }
}
