import { Body, Controller, Delete, Get, HttpCode, Param, Patch, Post, Query, Req } from '@nestjs/common';
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
  IdentityKeyResponse,
  NewApplicationRequest,
  NewApplicationResponse,
  NewIdentityKeyRequest,
} from '@postrider/contracts';
import type { FastifyRequest } from 'fastify';
import { OperatorOnly } from '../../auth/endpoint-access.decorator';
import { Applications } from './applications.service';
import { CreateApplication } from './create-application.service';
import { IdentityKeys } from './identity-keys.service';

const NEW_APPLICATION = { shop: { value: { id: 'shop', name: 'The Shop', defaultRegion: 'DE' } } };
const APPLICATION_CHANGES = {
  quietHours: {
    summary: 'No campaigns at night, where each device is',
    value: { quietHours: { start: '22:00', end: '08:00' }, defaultTimeZone: 'Europe/Berlin' },
  },
};
const NEW_IDENTITY_KEY = {
  generated: { summary: 'The former key stays valid for a day', value: {} },
  leaked: { summary: 'The former key is known to others', value: { formerValidSeconds: 0 } },
};

/** Applications. */
@ApiTags('Admin')
@OperatorOnly()
@Controller('api/admin/apps')
export class ApplicationsController {
  constructor(
    private readonly applications: Applications,
    private readonly createApplication: CreateApplication,
    private readonly identityKeys: IdentityKeys,
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

  @Post(':id/rotate-identity-key')
  @HttpCode(200)
  @ApiOperation({
    summary: 'Rotate the identity key of an application; the former one stays valid for as long as the request says',
    description:
      'The answer shows the new key, this once. `userHash` is right if it was made with the new key or, until ' +
      '`formerValidUntil`, with the former one; keys before that are not valid any more. Every gateway follows within 4 ' +
      'seconds. Devices that have proved their user stay proved.',
  })
  @ApiBody({ type: NewIdentityKeyRequest, required: false, examples: NEW_IDENTITY_KEY })
  @ApiOkResponse({ type: IdentityKeyResponse })
  @ApiConflictResponse({ description: 'the application is being removed' })
  async rotateIdentityKey(@Param('id') id: string, @Body() body: NewIdentityKeyRequest): Promise<IdentityKeyResponse> {
    return this.identityKeys.rotate(id, body);
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
