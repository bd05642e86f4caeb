import { Body, Controller, Delete, Get, Param, Post, Put, Query } from '@nestjs/common';
import {
  ApiBody,
  ApiConflictResponse,
  ApiCreatedResponse,
  ApiOkResponse,
  ApiOperation,
  ApiTags,
} from '@nestjs/swagger';
import {
  DraftChangesRequest,
  DraftCopyRequest,
  DraftRemovalQuery,
  DraftRequest,
  DraftResponse,
  DraftsQuery,
  DraftsResponse,
} from '@postrider/contracts';
import { type Caller, CurrentCaller } from '../auth/caller';
import { RequireScope } from '../auth/endpoint-access.decorator';
import { SavedDrafts } from './saved-drafts.service';

/** Messages that are being written. */
@ApiTags('Drafts')
@RequireScope('send', 'read')
@Controller('api/drafts')
export class DraftsController {
  constructor(private readonly drafts: SavedDrafts) {}

  @Post()
  @RequireScope('send')
  @ApiOperation({ summary: 'Save a message that is not finished' })
  @ApiCreatedResponse({ type: DraftResponse })
  @ApiConflictResponse({ description: 'the application has the maximum number of drafts' })
  create(@CurrentCaller() caller: Caller, @Body() body: DraftRequest): Promise<DraftResponse> {
    return this.drafts.create(caller, body);
  }

  @Get()
  @ApiOperation({ summary: 'List drafts, the last saved first' })
  @ApiOkResponse({ type: DraftsResponse })
  list(@CurrentCaller() { appId }: Caller, @Query() query: DraftsQuery): Promise<DraftsResponse> {
    return this.drafts.list(appId, query);
  }

  @Get(':id')
  @ApiOperation({ summary: 'Read a draft' })
  @ApiOkResponse({ type: DraftResponse })
  read(@CurrentCaller() { appId }: Caller, @Param('id') id: string): Promise<DraftResponse> {
    return this.drafts.find(appId, id);
  }

  @Put(':id')
  @RequireScope('send')
  @ApiOperation({ summary: 'Save a draft over the revision that it was made from' })
  @ApiOkResponse({ type: DraftResponse })
  @ApiConflictResponse({ description: 'someone else has saved it since: `error.current` is the draft now' })
  replace(
    @CurrentCaller() caller: Caller,
    @Param('id') id: string,
    @Body() body: DraftChangesRequest,
  ): Promise<DraftResponse> {
    return this.drafts.replace(caller, id, body);
  }

  @Post(':id/duplicate')
  @RequireScope('send')
  @ApiOperation({ summary: 'Make a second draft with the same content' })
  @ApiBody({ type: DraftCopyRequest, required: false })
  @ApiCreatedResponse({ type: DraftResponse })
  @ApiConflictResponse({ description: 'the application has the maximum number of drafts' })
  duplicate(
    @CurrentCaller() caller: Caller,
    @Param('id') id: string,
    @Body() { name }: DraftCopyRequest,
  ): Promise<DraftResponse> {
    return this.drafts.duplicate(caller, id, name);
  }

  @Delete(':id')
  @RequireScope('send')
  @ApiOperation({ summary: 'Delete a draft' })
  @ApiOkResponse({ schema: { type: 'object', properties: { id: { type: 'string' } } } })
  @ApiConflictResponse({ description: 'it has another revision than the one named' })
  async remove(
    @CurrentCaller() { appId }: Caller,
    @Param('id') id: string,
    @Query() { revision }: DraftRemovalQuery,
  ): Promise<{ id: string }> {
    await this.drafts.remove(appId, id, revision);
    return { id };
  }
}
