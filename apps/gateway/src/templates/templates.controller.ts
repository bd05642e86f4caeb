import { Body, Controller, Delete, Get, HttpCode, Param, Post, Put, Query } from '@nestjs/common';
import { ApiConflictResponse, ApiCreatedResponse, ApiOkResponse, ApiOperation, ApiTags } from '@nestjs/swagger';
import {
  TemplateChangesRequest,
  TemplateQuery,
  TemplateRequest,
  TemplateResponse,
  TemplateRestoreRequest,
  TemplatesQuery,
  TemplatesResponse,
  TemplateVersionsQuery,
  TemplateVersionsResponse,
} from '@postrider/contracts';
import { type Caller, CurrentCaller } from '../auth/caller';
import { RequireScope } from '../auth/endpoint-access.decorator';
import { SavedTemplates } from './saved-templates.service';

/** Content of messages: saved under names, in versions. */
@ApiTags('Templates')
@RequireScope('send', 'read')
@Controller('api/templates')
export class TemplatesController {
  constructor(private readonly templates: SavedTemplates) {}

  @Post()
  @RequireScope('send')
  @ApiOperation({ summary: 'Save the content of messages under a name' })
  @ApiCreatedResponse({ type: TemplateResponse })
  @ApiConflictResponse({ description: 'the name is taken, or the application has the maximum number of templates' })
  create(@CurrentCaller() caller: Caller, @Body() body: TemplateRequest): Promise<TemplateResponse> {
    return this.templates.create(caller, body);
  }

  @Get()
  @ApiOperation({ summary: 'List templates, newest first' })
  @ApiOkResponse({ type: TemplatesResponse })
  list(@CurrentCaller() { appId }: Caller, @Query() query: TemplatesQuery): Promise<TemplatesResponse> {
    return this.templates.list(appId, query);
  }

  @Get(':id')
  @ApiOperation({ summary: 'Read a template at its newest version, or at another one' })
  @ApiOkResponse({ type: TemplateResponse })
  read(
    @CurrentCaller() { appId }: Caller,
    @Param('id') id: string,
    @Query() { version }: TemplateQuery,
  ): Promise<TemplateResponse> {
    return this.templates.find(appId, id, version);
  }

  @Get(':id/versions')
  @ApiOperation({ summary: 'List the versions of a template, newest first' })
  @ApiOkResponse({ type: TemplateVersionsResponse })
  versions(
    @CurrentCaller() { appId }: Caller,
    @Param('id') id: string,
    @Query() query: TemplateVersionsQuery,
  ): Promise<TemplateVersionsResponse> {
    return this.templates.listVersions(appId, id, query);
  }

  @Put(':id')
  @RequireScope('send')
  @ApiOperation({ summary: 'Make a new version of a template' })
  @ApiOkResponse({ type: TemplateResponse })
  @ApiConflictResponse({ description: 'the name is taken, or there is a newer version: `error.current`' })
  replace(
    @CurrentCaller() caller: Caller,
    @Param('id') id: string,
    @Body() body: TemplateChangesRequest,
  ): Promise<TemplateResponse> {
    return this.templates.replace(caller, id, body);
  }

  @Post(':id/restore')
  @HttpCode(200)
  @RequireScope('send')
  @ApiOperation({ summary: 'Make the content of an old version the newest version' })
  @ApiOkResponse({ type: TemplateResponse })
  @ApiConflictResponse({ description: 'someone else makes a new version at this moment' })
  restore(
    @CurrentCaller() caller: Caller,
    @Param('id') id: string,
    @Body() { version }: TemplateRestoreRequest,
  ): Promise<TemplateResponse> {
    return this.templates.restore(caller, id, version);
  }

  @Delete(':id')
  @RequireScope('send')
  @ApiOperation({ summary: 'Delete a template with its versions' })
  @ApiOkResponse({ schema: { type: 'object', properties: { id: { type: 'string' } } } })
  async remove(@CurrentCaller() { appId }: Caller, @Param('id') id: string): Promise<{ id: string }> {
    await this.templates.remove(appId, id);
    return { id };
  }
}
