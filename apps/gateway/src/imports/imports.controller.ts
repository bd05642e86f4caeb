import { Readable } from 'node:stream';
import { Controller, Get, HttpCode, Param, Post, Query, Req, Res } from '@nestjs/common';
import {
  ApiAcceptedResponse,
  ApiBody,
  ApiConsumes,
  ApiOkResponse,
  ApiOperation,
  ApiResponse,
  ApiTags,
} from '@nestjs/swagger';
import {
  AcceptedImportResponse,
  ImportQuery,
  ImportResponse,
  ImportsQuery,
  ImportsResponse,
} from '@postrider/contracts';
import { DomainError } from '@postrider/domain';
import type { FastifyReply } from 'fastify';
import { type AuthenticatedRequest, type Caller, CurrentCaller } from '../auth/caller';
import { RequireScope, TakesJsonFile } from '../auth/endpoint-access.decorator';
import { mediaTypeOf } from '../http/uploads';
import { AcceptImport, IMPORT_FILE_TYPES } from './accept-import.service';
import { Imports } from './imports.service';

const CSV_EXAMPLE = 'token,userId\nfX2k0a1b2c3d4e5f6a7b8c9d,ada\n';
const NDJSON_EXAMPLE = '{"ChannelType":"GCM","Address":"fX2k0a1b2c3d4e5f6a7b8c9d","User":{"UserId":"ada"}}\n';

/** Devices from files of other systems. */
@ApiTags('Imports')
@RequireScope('server')
@Controller('api/installations/import')
export class ImportsController {
  constructor(
    private readonly acceptImport: AcceptImport,
    private readonly imports: Imports,
  ) {}

  @Post()
  @TakesJsonFile()
  @HttpCode(202)
  @ApiOperation({
    summary: 'Import devices from a file: of OneSignal, Parse, SNS, Pinpoint, browsers, a list, or with a mapping',
  })
  // JSON documents are accepted too. Their formats are those of other systems, which this document does not describe.
  @ApiConsumes('text/csv', 'application/x-ndjson')
  @ApiBody({ schema: { type: 'string', examples: [CSV_EXAMPLE, NDJSON_EXAMPLE] } })
  @ApiAcceptedResponse({ type: AcceptedImportResponse })
  async accept(@Req() request: AuthenticatedRequest, @Query() query: ImportQuery): Promise<AcceptedImportResponse> {
    const { caller, headers, body: content } = request;
    const kind = IMPORT_FILE_TYPES[mediaTypeOf(request)];
    if (kind === undefined || !(content instanceof Readable)) {
      throw new DomainError(
        'UNSUPPORTED_MEDIA_TYPE',
        'The body must be text/csv, application/x-ndjson or application/json',
      );
    }
    const isPacked = /gzip/i.test(headers['content-encoding'] ?? '');
    return { jobId: await this.acceptImport.accept({ appId: caller.appId, kind, query, content, isPacked }) };
  }

  @Get()
  @ApiOperation({ summary: 'List the files of devices that were imported lately, the last one first' })
  @ApiOkResponse({ type: ImportsResponse })
  list(@CurrentCaller() { appId }: Caller, @Query() query: ImportsQuery): Promise<ImportsResponse> {
    return this.imports.list(appId, query);
  }

  @Get(':jobId')
  @ApiOperation({ summary: 'Read how far a file of devices is imported' })
  @ApiOkResponse({ type: ImportResponse })
  read(@CurrentCaller() { appId }: Caller, @Param('jobId') jobId: string): Promise<ImportResponse> {
    return this.imports.find(appId, jobId);
  }

  @Get(':jobId/errors')
  @ApiOperation({ summary: 'Write all wrong lines of a file of devices as NDJSON' })
  @ApiResponse({ status: 200, content: { 'application/x-ndjson': { schema: { type: 'string' } } } })
  async errors(
    @CurrentCaller() { appId }: Caller,
    @Param('jobId') jobId: string,
    @Res() reply: FastifyReply,
  ): Promise<void> {
    const lines = await this.imports.errorsOf(appId, jobId);
    await reply.type('application/x-ndjson').send(Readable.from(lines, { objectMode: false }));
  }

  @Post(':jobId/cancel')
  @HttpCode(200)
  @ApiOperation({ summary: 'End an import; the devices that it wrote stay' })
  @ApiOkResponse({ type: ImportResponse })
  cancel(@CurrentCaller() { appId }: Caller, @Param('jobId') jobId: string): Promise<ImportResponse> {
    return this.imports.cancel(appId, jobId);
  }
}
