import { Body, Controller, Delete, Get, Param, Patch, Post, Query, Req } from '@nestjs/common';
import {
  ApiBody,
  ApiConflictResponse,
  ApiCreatedResponse,
  ApiOkResponse,
  ApiOperation,
  ApiTags,
} from '@nestjs/swagger';
import {
  ApplicationChangesQuery,
  ApplicationChangesRequest,
  ApplicationResponse,
  NewApplicationRequest,
  NewApplicationResponse,
} from '@postrider/contracts';
import type { FastifyRequest } from 'fastify';
import { OperatorOnly } from '../../auth/endpoint-access.decorator';
import { Applications } from './applications.service';
import { CreateApplication } from './create-application.service';

const NEW_APPLICATION = { shop: { value: { id: 'shop', name: 'The Shop', defaultRegion: 'DE' } } };
const APPLICATION_CHANGES = {
  quietHours: {
    summary: 'No campaigns at night, where each device is',
    value: { quietHours: { start: '22:00', end: '08:00' }, defaultTimeZone: 'Europe/Berlin' },
  },
};

/** Applications. */
@ApiTags('Admin')
@OperatorOnly()
@Controller('api/admin/apps')
export class ApplicationsController {
  constructor(
    private readonly applications: Applications,
    private readonly createApplication: CreateApplication,
  ) {}

  @Post()
  @ApiOperation({ summary: 'Create an application' })
  @ApiBody({ type: NewApplicationRequest, examples: NEW_APPLICATION })
  @ApiCreatedResponse({ type: NewApplicationResponse })
  @ApiConflictResponse({ description: 'an application with this id exists' })
  async create(@Body() body: NewApplicationRequest): Promise<NewApplicationResponse> {
    return this.createApplication.create(body);
  }

  @Get()
  @ApiOperation({ summary: 'List the applications' })
  @ApiOkResponse({ type: [ApplicationResponse] })
  async list(): Promise<ApplicationResponse[]> {
    return this.applications.list();
  }

  @Get(':id')
  @ApiOperation({ summary: 'Read an application' })
  @ApiOkResponse({ type: ApplicationResponse })
  async read(@Param('id') id: string): Promise<ApplicationResponse> {
    return this.applications.find(id);
  }

  @Patch(':id')
  @ApiOperation({ summary: "Change an application's settings" })
  @ApiBody({ type: ApplicationChangesRequest, examples: APPLICATION_CHANGES })
  @ApiOkResponse({ type: ApplicationResponse })
  @ApiConflictResponse({
    description:
      'the application has another revision than the one named (`error.current` is the application now), or is being removed; nothing was changed',
  })
  async change(
    @Param('id') id: string,
    @Query() { revision }: ApplicationChangesQuery,
    @Body() body: ApplicationChangesRequest,
  ): Promise<ApplicationResponse> {
    return this.applications.change(id, body, revision);
  }

  @Delete(':id')
  @ApiOperation({
    summary: 'Remove an application and all of its data',
    description:
      'Its tokens and vendor credentials go first, then its data, which takes minutes for a million devices. The answer comes ' +
      'when nothing is left. If the connection or the gateway ends before, the removal goes on by itself: `removalBeganAt` of ' +
      'the application says so, and the same call waits for its end.',
  })
  @ApiOkResponse({ schema: { type: 'object', properties: { id: { type: 'string' } } } })
  async remove(@Param('id') id: string, @Req() { raw }: FastifyRequest): Promise<{ id: string }> {
    // A million devices take minutes. There is no traffic on the connection meanwhile, and it must not be closed for that.
    raw.socket.setTimeout(0);
    await this.applications.remove(id);
    return { id };
  }
}
