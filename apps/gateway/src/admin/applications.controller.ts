import { Body, Controller, Delete, Get, Param, Patch, Post } from '@nestjs/common';
import {
  ApiBody,
  ApiConflictResponse,
  ApiCreatedResponse,
  ApiOkResponse,
  ApiOperation,
  ApiTags,
} from '@nestjs/swagger';
import {
  APPLICATION_CHANGES_SCHEMA,
  APPLICATION_SCHEMA,
  type ApplicationResponse,
  CREATED_APPLICATION_SCHEMA,
  NEW_APPLICATION_SCHEMA,
  type NewApplicationResponse,
  readApplicationChanges,
  readNewApplication,
} from '@postrider/contracts';
import { OperatorOnly } from '../auth/route-access.decorator';
import { Applications } from './applications.service';
import { RemoveApplication } from './remove-application.service';

/** Applications (operations, Admin API). */
@ApiTags('Admin')
@OperatorOnly()
@Controller('api/admin/apps')
export class ApplicationsController {
  constructor(
    private readonly applications: Applications,
    private readonly removeApplication: RemoveApplication,
  ) {}

  @Post()
  @ApiOperation({ summary: 'Make an application' })
  @ApiBody({ schema: NEW_APPLICATION_SCHEMA })
  @ApiCreatedResponse({ schema: CREATED_APPLICATION_SCHEMA })
  @ApiConflictResponse({ description: 'there is an application of this id' })
  async create(@Body() body: unknown): Promise<NewApplicationResponse> {
    return this.applications.create(readNewApplication(body));
  }

  @Get()
  @ApiOperation({ summary: 'List the applications' })
  @ApiOkResponse({ schema: { type: 'array', items: APPLICATION_SCHEMA } })
  async list(): Promise<ApplicationResponse[]> {
    return this.applications.list();
  }

  @Get(':id')
  @ApiOperation({ summary: 'Read an application' })
  @ApiOkResponse({ schema: APPLICATION_SCHEMA })
  async read(@Param('id') id: string): Promise<ApplicationResponse> {
    return this.applications.find(id);
  }

  @Patch(':id')
  @ApiOperation({ summary: "Change an application's settings" })
  @ApiBody({ schema: APPLICATION_CHANGES_SCHEMA })
  @ApiOkResponse({ schema: APPLICATION_SCHEMA })
  async change(@Param('id') id: string, @Body() body: unknown): Promise<ApplicationResponse> {
    return this.applications.change(id, readApplicationChanges(body));
  }

  @Delete(':id')
  @ApiOperation({ summary: 'Remove an application and everything that is its own' })
  @ApiOkResponse({ schema: { type: 'object', properties: { id: { type: 'string' } } } })
  async remove(@Param('id') id: string): Promise<{ id: string }> {
    await this.removeApplication.remove(id);
    return { id };
  }
}
