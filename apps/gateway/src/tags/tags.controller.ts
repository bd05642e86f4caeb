import { Body, Controller, Get, HttpCode, Param, Post, Query } from '@nestjs/common';
import { ApiBody, ApiOkResponse, ApiOperation, ApiParam, ApiQuery, ApiTags } from '@nestjs/swagger';
import {
  COUNT_SCHEMA,
  type CountResponse,
  readTagOfUser,
  readTags,
  readValueTag,
  TAG_OF_USER_SCHEMA,
  TAGS_SCHEMA,
  VALUE_TAG_SCHEMA,
} from '@postrider/contracts';
import type { Caller } from '../auth/caller';
import { CurrentCaller } from '../auth/current-caller.decorator';
import { ChangesOnGet, RequireScope } from '../auth/route-access.decorator';
import { ApiUserHash, UserHash } from '../installations/user-hash';
import { DeviceOwner } from './device-owner.service';
import { EditTags } from './edit-tags.service';

const INSTALLATION_ID = {
  name: 'installationId',
  required: false,
  schema: { type: 'string' },
  description: 'The device that asks, with a devices token; may stand in the body too',
} as const;
const PATH_NAMES = { userId: 'user_id', tag: 'tag' };

/** The tags of users (push-api, Tags). */
@ApiTags('Tags')
@RequireScope('tags')
@Controller('api/installations')
export class TagsController {
  constructor(
    private readonly editTags: EditTags,
    private readonly deviceOwner: DeviceOwner,
  ) {}

  @Get('addTag/:user_id/:tag')
  @ChangesOnGet()
  @ApiParam({ name: 'user_id' })
  @ApiParam({ name: 'tag' })
  @ApiOperation({ summary: "Add a tag to all of a user's devices" })
  @ApiOkResponse({ schema: COUNT_SCHEMA })
  async addTag(@CurrentCaller() { appId }: Caller, @Param() parameters: unknown): Promise<CountResponse> {
    const { userId, tag } = readTagOfUser(parameters, PATH_NAMES);
    return { count: await this.editTags.add(appId, userId, [tag]) };
  }

  @Post('addTags')
  @HttpCode(200)
  @RequireScope('tags', 'devices')
  @ApiUserHash()
  @ApiQuery(INSTALLATION_ID)
  @ApiOperation({ summary: "Add several tags to all of a user's devices" })
  @ApiOkResponse({ schema: COUNT_SCHEMA })
  @ApiBody({ schema: TAGS_SCHEMA })
  async addTags(
    @CurrentCaller() caller: Caller,
    @Body() body: unknown,
    @Query() query: unknown,
    @UserHash() userHash: string | null,
  ): Promise<CountResponse> {
    const request = readTags(body, query);
    await this.deviceOwner.checkEditor(caller, { ...request, userHash });
    return { count: await this.editTags.add(caller.appId, request.userId, request.tags) };
  }

  @Post('addValueTag')
  @HttpCode(200)
  @ApiOperation({ summary: 'Add a tag with a value, or give it another value' })
  @ApiOkResponse({ schema: COUNT_SCHEMA })
  @ApiBody({ schema: VALUE_TAG_SCHEMA })
  async addValueTag(@CurrentCaller() { appId }: Caller, @Body() body: unknown): Promise<CountResponse> {
    const { userId, tag, value } = readValueTag(body);
    return { count: await this.editTags.add(appId, userId, [tag], { [tag]: value }) };
  }

  @Get('removeTag/:user_id/:tag')
  @ChangesOnGet()
  @ApiParam({ name: 'user_id' })
  @ApiParam({ name: 'tag' })
  @ApiOperation({ summary: "Remove a tag, and its value, from all of a user's devices" })
  @ApiOkResponse({ schema: COUNT_SCHEMA })
  async removeTag(@CurrentCaller() { appId }: Caller, @Param() parameters: unknown): Promise<CountResponse> {
    const { userId, tag } = readTagOfUser(parameters, PATH_NAMES);
    return { count: await this.editTags.remove(appId, userId, [tag]) };
  }

  @Post('removeTags')
  @HttpCode(200)
  @RequireScope('tags', 'devices')
  @ApiUserHash()
  @ApiQuery(INSTALLATION_ID)
  @ApiOperation({ summary: "Remove several tags from all of a user's devices" })
  @ApiOkResponse({ schema: COUNT_SCHEMA })
  @ApiBody({ schema: TAGS_SCHEMA })
  async removeTags(
    @CurrentCaller() caller: Caller,
    @Body() body: unknown,
    @Query() query: unknown,
    @UserHash() userHash: string | null,
  ): Promise<CountResponse> {
    const request = readTags(body, query);
    await this.deviceOwner.checkEditor(caller, { ...request, userHash });
    return { count: await this.editTags.remove(caller.appId, request.userId, request.tags) };
  }

  @Post('removeValueTag')
  @HttpCode(200)
  @ApiOperation({ summary: 'Remove a tag and its value' })
  @ApiOkResponse({ schema: COUNT_SCHEMA })
  @ApiBody({ schema: TAG_OF_USER_SCHEMA })
  async removeValueTag(@CurrentCaller() { appId }: Caller, @Body() body: unknown): Promise<CountResponse> {
    const { userId, tag } = readTagOfUser(body);
    return { count: await this.editTags.remove(appId, userId, [tag]) };
  }
}
