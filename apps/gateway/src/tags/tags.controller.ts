import { Body, Controller, Get, HttpCode, Param, Post, Query } from '@nestjs/common';
import { ApiOkResponse, ApiOperation, ApiTags } from '@nestjs/swagger';
import {
  CountResponse,
  TagOfUserRequest,
  TagPath,
  TagsQuery,
  TagsRequest,
  UserPath,
  ValueTagRequest,
} from '@postrider/contracts';
import { type Caller, CurrentCaller } from '../auth/caller';
import { ChangesOnGet, RequireScope } from '../auth/endpoint-access.decorator';
import { ApiUserHash, UserHash } from '../devices/registration/user-hash.decorator';
import { DeviceOwner } from './device-owner.service';
import { EditTags } from './edit-tags.service';

/** The tags of users. */
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
  @ApiOperation({ summary: "Add a tag to all of a user's devices" })
  @ApiOkResponse({ type: CountResponse })
  async addTag(@CurrentCaller() { appId }: Caller, @Param() path: TagPath): Promise<CountResponse> {
    return { count: await this.editTags.add(appId, path.user_id, { tags: [path.tag], field: 'tag' }) };
  }

  @Post('addTags')
  @HttpCode(200)
  @RequireScope('tags', 'devices')
  @ApiUserHash()
  @ApiOperation({ summary: "Add several tags to all of a user's devices" })
  @ApiOkResponse({ type: CountResponse })
  async addTags(
    @CurrentCaller() caller: Caller,
    @Body() body: TagsRequest,
    @Query() query: TagsQuery,
    @UserHash() userHash: string | null,
  ): Promise<CountResponse> {
    await this.#checkEditor(caller, body, query, userHash);
    return { count: await this.editTags.add(caller.appId, body.userId, { tags: body.tags, field: 'tags' }) };
  }

  @Post('addValueTag')
  @HttpCode(200)
  @ApiOperation({ summary: 'Add a tag with a value, or change the value' })
  @ApiOkResponse({ type: CountResponse })
  async addValueTag(@CurrentCaller() { appId }: Caller, @Body() body: ValueTagRequest): Promise<CountResponse> {
    const { userId, tag, value } = body;
    return { count: await this.editTags.add(appId, userId, { tags: [tag], values: { [tag]: value }, field: 'tag' }) };
  }

  @Get('removeTag/:user_id/:tag')
  @ChangesOnGet()
  @ApiOperation({ summary: "Remove a tag, and its value, from all of a user's devices" })
  @ApiOkResponse({ type: CountResponse })
  async removeTag(@CurrentCaller() { appId }: Caller, @Param() path: TagPath): Promise<CountResponse> {
    return { count: await this.editTags.remove(appId, path.user_id, [path.tag]) };
  }

  @Post('removeTags')
  @HttpCode(200)
  @RequireScope('tags', 'devices')
  @ApiUserHash()
  @ApiOperation({ summary: "Remove several tags from all of a user's devices" })
  @ApiOkResponse({ type: CountResponse })
  async removeTags(
    @CurrentCaller() caller: Caller,
    @Body() body: TagsRequest,
    @Query() query: TagsQuery,
    @UserHash() userHash: string | null,
  ): Promise<CountResponse> {
    await this.#checkEditor(caller, body, query, userHash);
    return { count: await this.editTags.remove(caller.appId, body.userId, body.tags) };
  }

  @Post('removeValueTag')
  @HttpCode(200)
  @ApiOperation({ summary: 'Remove a tag and its value' })
  @ApiOkResponse({ type: CountResponse })
  async removeValueTag(@CurrentCaller() { appId }: Caller, @Body() body: TagOfUserRequest): Promise<CountResponse> {
    const { userId, tag } = body;
    return { count: await this.editTags.remove(appId, userId, [tag]) };
  }

  @Get('tags/:userId')
  @RequireScope('devices', 'tags', 'read')
  @ApiOperation({ summary: "List a user's tags; a key/value tag by its key" })
  @ApiOkResponse({ schema: { type: 'array', items: { type: 'string' } } })
  @ApiUserHash()
  async list(
    @CurrentCaller() caller: Caller,
    @Param() { userId }: UserPath,
    @UserHash() userHash: string | null,
  ): Promise<string[]> {
    await this.deviceOwner.checkReader(caller, userId, userHash);
    return this.editTags.list(caller.appId, userId);
  }

  /**
   * The body names the installation, or else the query. @throws DomainError FORBIDDEN, UNAUTHORIZED (see `DeviceOwner`)
   */
  async #checkEditor(caller: Caller, body: TagsRequest, query: TagsQuery, userHash: string | null): Promise<void> {
    const installationId = body.installationId ?? query.installationId ?? null;
    await this.deviceOwner.checkEditor(caller, { userId: body.userId, installationId, userHash });
  }
}
