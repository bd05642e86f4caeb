import { Readable } from 'node:stream';
import { Controller, Get, HttpCode, Injectable, type OnModuleInit, Param, Post, Req, Res } from '@nestjs/common';
import { HttpAdapterHost } from '@nestjs/core';
import {
  ApiBody,
  ApiConflictResponse,
  ApiConsumes,
  ApiOkResponse,
  ApiOperation,
  ApiResponse,
  ApiTags,
} from '@nestjs/swagger';
import { ArchiveImportResponse } from '@postrider/contracts';
import { DomainError } from '@postrider/domain';
import type { FastifyReply } from 'fastify';
import type { AuthenticatedRequest } from '../../auth/caller';
import { OperatorOnly, TakesUpload } from '../../auth/endpoint-access.decorator';
import { takeUnread } from '../../http/uploads';
import { ReadArchive } from './read-archive.service';
import { WriteArchive } from './write-archive.service';

const TYPE = 'application/x-ndjson';
const ROUTE = '/api/admin/apps/:id/archive';

/** Passes archives to their route as they arrive. */
@Injectable()
export class StreamArchives implements OnModuleInit {
  constructor(private readonly adapter: HttpAdapterHost) {}

  onModuleInit(): void {
    takeUnread(this.adapter, { types: [TYPE], routes: [ROUTE], isText: true, mayBePacked: true });
  }
}

/** An application's settings, segments, templates, drafts, trackers, users and devices as one file. */
@ApiTags('Admin')
@OperatorOnly()
@Controller('api/admin/apps/:id/archive')
export class ArchiveController {
  constructor(
    private readonly writing: WriteArchive,
    private readonly reading: ReadArchive,
  ) {}

  @Get()
  @ApiOperation({
    summary: 'Export an application: settings without secrets, segments, templates, drafts, trackers, users, devices',
  })
  @ApiResponse({ status: 200, content: { 'application/gzip': { schema: { type: 'string', format: 'binary' } } } })
  async write(@Param('id') id: string, @Res() reply: FastifyReply): Promise<void> {
    const archive = await this.writing.open(id);
    const name = `${id.replace(/[^\w.-]/g, '_')}.ndjson.gz`;
    await reply
      .code(200)
      .type('application/gzip')
      .header('content-disposition', `attachment; filename="${name}"`)
      .send(archive);
  }

  @Post()
  @TakesUpload()
  @HttpCode(200)
  @ApiOperation({ summary: 'Import the archive that another installation exported. Existing objects stay as they are' })
  @ApiConsumes(TYPE)
  @ApiBody({ schema: { type: 'string', examples: ['{"archive":{"version":2,"application":"shop"}}\n{"end":{}}\n'] } })
  @ApiOkResponse({ type: ArchiveImportResponse })
  @ApiConflictResponse({
    description: 'the application would have too many segments, templates or drafts, or is being removed',
  })
  async read(@Param('id') id: string, @Req() request: AuthenticatedRequest): Promise<ArchiveImportResponse> {
    const { body, headers } = request;
    if (!(body instanceof Readable)) throw new DomainError('UNSUPPORTED_MEDIA_TYPE', `The body must be ${TYPE}`);
    return this.reading.read(id, body, /gzip/i.test(headers['content-encoding'] ?? ''));
  }
}
