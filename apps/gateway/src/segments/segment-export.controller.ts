import { Controller, Get, HttpCode, Param, Post, Res } from '@nestjs/common';
import { ApiBody, ApiOperation, ApiResponse, ApiTags, ApiUnprocessableEntityResponse } from '@nestjs/swagger';
import { GroupRequest } from '@postrider/contracts';
import { USUAL_CHANNEL } from '@postrider/domain';
import type { FastifyReply } from 'fastify';
import { RequireScope } from '../auth/endpoint-access.decorator';
import { CurrentHeavyCaller, type HeavyCaller } from '../heavy-reads/heavy-reads.service';
import { announceCsv } from '../http/csv';
import { ExportSegment } from './export-segment.service';
import { MeasureGroups } from './measure-groups.service';
import { RulesBody } from './saved-rules';
import { Segments } from './segments.service';

/** The devices of a group as a file. */
@ApiTags('Segments')
@RequireScope('read')
@Controller('api/segments')
export class SegmentExportController {
  constructor(
    private readonly segments: Segments,
    private readonly measureGroups: MeasureGroups,
    private readonly exportSegment: ExportSegment,
  ) {}

  @Get(':id/export')
  @ApiOperation({ summary: 'Export the devices of a saved segment as CSV' })
  @ApiResponse({ status: 200, content: { 'text/csv': { schema: { type: 'string' } } } })
  @ApiUnprocessableEntityResponse({ description: 'reading the group takes too long' })
  async exportSaved(
    @CurrentHeavyCaller() caller: HeavyCaller,
    @Param('id') id: string,
    @Res() reply: FastifyReply,
  ): Promise<void> {
    const { target, segment } = await this.segments.find(caller.appId, id);
    const selection = await this.measureGroups.selectionOf(caller.appId, {
      target,
      segment,
      channel: USUAL_CHANNEL,
    });
    const csv = await this.exportSegment.open(selection, caller);
    await announceCsv(reply, 'segment.csv').code(200).send(csv);
  }

  @Post('export')
  @HttpCode(200)
  @ApiOperation({ summary: 'Export the devices of a group as CSV' })
  @ApiBody({ type: GroupRequest })
  @ApiResponse({ status: 200, content: { 'text/csv': { schema: { type: 'string' } } } })
  @ApiUnprocessableEntityResponse({ description: 'reading the group takes too long' })
  async exportGroup(
    @CurrentHeavyCaller() caller: HeavyCaller,
    @RulesBody() group: GroupRequest,
    @Res() reply: FastifyReply,
  ): Promise<void> {
    const selection = await this.measureGroups.selectionOf(caller.appId, group);
    const csv = await this.exportSegment.open(selection, caller);
    await announceCsv(reply, 'segment.csv').code(200).send(csv);
  }
}
