import { Readable } from 'node:stream';
import { Controller, Get, HttpCode, Param, Post, Query, Req } from '@nestjs/common';
import { ApiAcceptedResponse, ApiBody, ApiConsumes, ApiOkResponse, ApiOperation, ApiTags } from '@nestjs/swagger';
import { AcceptedTagFileResponse, TagFileQuery, TagJobResponse } from '@postrider/contracts';
import { DomainError } from '@postrider/domain';
import { type AuthenticatedRequest, type Caller, CurrentCaller } from '../../auth/caller';
import { RequireScope, TakesUpload } from '../../auth/endpoint-access.decorator';
import { mediaTypeOf } from '../../http/uploads';
import { AcceptTagFile, TAG_FILE_TYPES } from './accept-tag-file.service';
import { ReadTagJob } from './read-tag-job.service';

const CSV_EXAMPLE = 'userId,tag,value\nada,city,Utrecht\ngrace,gold\n';
const NDJSON_EXAMPLE = '{"userId":"ada","values":{"city":"Utrecht"}}\n{"userId":"grace","tags":["gold"]}\n';

/** Tags of many users from one file. */
@ApiTags('Tags')
@RequireScope('tags')
@Controller('api/installations/bulk/tags')
export class BulkTagsController {
  constructor(
    private readonly acceptTagFile: AcceptTagFile,
    private readonly readTagJob: ReadTagJob,
  ) {}

  @Post()
  @TakesUpload()
  @HttpCode(202)
  @ApiOperation({ summary: 'Add and remove the tags in a file: CSV of userId,tag[,value] or NDJSON' })
  @ApiConsumes('text/csv', 'application/x-ndjson')
  @ApiBody({ schema: { type: 'string', examples: [CSV_EXAMPLE, NDJSON_EXAMPLE] } })
  @ApiAcceptedResponse({ type: AcceptedTagFileResponse })
  async accept(
    @Req() request: AuthenticatedRequest,
    @Query() { operation }: TagFileQuery,
  ): Promise<AcceptedTagFileResponse> {
    const { appId } = request.caller;
    const content = request.body;
    const format = TAG_FILE_TYPES[mediaTypeOf(request)];
    if (format === undefined || !(content instanceof Readable)) {
      throw new DomainError('UNSUPPORTED_MEDIA_TYPE', `The body must be ${Object.keys(TAG_FILE_TYPES).join(' or ')}`);
    }
    return { jobId: await this.acceptTagFile.accept({ appId, format, operation, content }) };
  }

  @Get(':jobId')
  @ApiOperation({ summary: 'Read the progress of a tag file, and its refused lines' })
  @ApiOkResponse({ type: TagJobResponse })
  async read(@CurrentCaller() { appId }: Caller, @Param('jobId') jobId: string): Promise<TagJobResponse> {
    return this.readTagJob.find(appId, jobId);
  }
}
