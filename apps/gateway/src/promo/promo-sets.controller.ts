import { Body, Controller, Get, Param, Put, Query, Res } from '@nestjs/common';
import { ApiConflictResponse, ApiOkResponse, ApiOperation, ApiResponse, ApiTags } from '@nestjs/swagger';
import {
  askedAssignments,
  PromoAssignmentsQuery,
  PromoAssignmentsResponse,
  PromoJobResponse,
  PromoSetChangeRequest,
  PromoSetResponse,
  PromoSetsQuery,
  PromoSetsResponse,
} from '@postrider/contracts';
import type { FastifyReply } from 'fastify';
import { type Caller, CurrentCaller } from '../auth/caller';
import { RequireScope } from '../auth/endpoint-access.decorator';
import { announceCsv } from '../http/csv';
import { ExportAssignments, PromoSets } from './promo-sets.service';

/**
 * Promo sets, their uploads, and who got which code. If `:id` is the id of the application, it names its global set in
 * force.
 */
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
  @ApiOkResponse({ type: PromoSetsResponse })
  async list(@CurrentCaller() { appId }: Caller, @Query() query: PromoSetsQuery): Promise<PromoSetsResponse> {
    return this.promoSets.list(appId, query);
  }

  @Get('sets/:id')
  @ApiOperation({ summary: 'Read a promo set: how many codes are assigned, and how many remain' })
  @ApiOkResponse({ type: PromoSetResponse })
  async read(@CurrentCaller() { appId }: Caller, @Param('id') id: string): Promise<PromoSetResponse> {
    return this.promoSets.find(appId, id);
  }

  @Put('sets/:id')
  @RequireScope('promo')
  @ApiOperation({
    summary: 'Set the number of remaining codes at which a promo set counts as low; later sets inherit it',
  })
  @ApiConflictResponse({ description: 'the set is no longer in force' })
  @ApiOkResponse({ type: PromoSetResponse })
  async change(
    @CurrentCaller() { appId }: Caller,
    @Param('id') id: string,
    @Body() body: PromoSetChangeRequest,
  ): Promise<PromoSetResponse> {
    return this.promoSets.change(appId, id, body);
  }

  @Get('sets/:id/assignments')
  @ApiOperation({ summary: 'List the assigned codes of a promo set and their users' })
  @ApiOkResponse({ type: PromoAssignmentsResponse })
  async assignments(
    @CurrentCaller() { appId }: Caller,
    @Param('id') id: string,
    @Query() query: PromoAssignmentsQuery,
  ): Promise<PromoAssignmentsResponse> {
    return this.promoSets.listAssignments(appId, id, query);
  }

  @Get('sets/:id/assignments/export')
  @ApiOperation({ summary: 'Export the assigned codes of a promo set and their users as CSV' })
  @ApiResponse({ status: 200, content: { 'text/csv': { schema: { type: 'string' } } } })
  async exportCsv(
    @CurrentCaller() { appId }: Caller,
    @Param('id') id: string,
    @Query() query: PromoAssignmentsQuery,
    @Res() reply: FastifyReply,
  ): Promise<void> {
    const csv = await this.exportAssignments.open(appId, id, askedAssignments(query));
    await announceCsv(reply, 'promo-codes.csv').code(200).send(csv);
  }

  @Get('jobs/:id')
  @ApiOperation({ summary: 'Read the progress of a promo code upload' })
  @ApiOkResponse({ type: PromoJobResponse })
  async job(@CurrentCaller() { appId }: Caller, @Param('id') id: string): Promise<PromoJobResponse> {
    return this.promoSets.findJob(appId, id);
  }
}
