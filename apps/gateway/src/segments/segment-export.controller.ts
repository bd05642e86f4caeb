import { Controller, Get, HttpCode, Param, Post, Res } from '@nestjs/common';
import { ApiBody, ApiOperation, ApiResponse, ApiTags, ApiUnprocessableEntityResponse } from '@nestjs/swagger';
import { GroupRequest } from '@postrider/contracts';
import type { FastifyReply } from 'fastify';
import { RequireScope } from '../auth/route-access.decorator';
import { CurrentHeavyCaller, type HeavyCaller } from '../heavy-reads/heavy-caller';
import { ExportSegment } from './export-segment.service';
import { MeasureGroups } from './measure-groups.service';
import { RulesBody } from './rules-body.decorator';
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
  @ApiOperation({ summary: "Write a saved segment's devices as CSV" })
  @ApiResponse({ status: 200, content: { 'text/csv': { schema: { type: 'string' } } } })
  @ApiUnprocessableEntityResponse({ description: 'the group takes too long to look through' })
  async exportSaved(
    @CurrentHeavyCaller() caller: HeavyCaller,
    @Param('id') id: string,
    @Res() reply: FastifyReply,
  ): Promise<void> {
    const { target, segment } = await this.segments.find(caller.appId, id);
    const selection = await this.measureGroups.selectionOf(caller.appId, {
      target,
      segment,
      channel: 'public/default',
    });
    await send(reply, await this.exportSegment.open(selection, caller));
  }

  @Post('export')
  @HttpCode(200)
  @ApiOperation({ summary: "Write a group's devices as CSV" })
  @ApiBody({ type: GroupRequest })
  @ApiResponse({ status: 200, content: { 'text/csv': { schema: { type: 'string' } } } })
  @ApiUnprocessableEntityResponse({ description: 'the group takes too long to look through' })
  async exportGroup(
    @CurrentHeavyCaller() caller: HeavyCaller,
    @RulesBody() group: GroupRequest,
    @Res() reply: FastifyReply,
  ): Promise<void> {
    const selection = await this.measureGroups.selectionOf(caller.appId, group);
    await send(reply, await this.exportSegment.open(selection, caller));
  }
}

async function send(reply: FastifyReply, csv: NodeJS.ReadableStream): Promise<void> {
  await reply
    .code(200)
    .type('text/csv; charset=utf-8; header=present')
    .header('content-disposition', 'attachment; filename="segment.csv"')
    .send(csv);
}
