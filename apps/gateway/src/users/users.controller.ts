import { Controller, Delete, Get, Param, Query, Res } from '@nestjs/common';
import { ApiOkResponse, ApiOperation, ApiTags } from '@nestjs/swagger';
import {
  ERASURE_SCHEMA,
  type ErasureResponse,
  type Listed,
  type ListedUserResponse,
  readListUserDeliveries,
  readListUsers,
  UserPath,
  USER_DELIVERIES_SCHEMA,
  USER_EXPORT_SCHEMA,
  USER_SCHEMA,
  type UserDeliveryResponse,
  type UserResponse,
  USERS_SCHEMA,
} from '@postrider/contracts';
import type { FastifyReply } from 'fastify';
import type { Caller } from '../auth/caller';
import { CurrentCaller } from '../auth/current-caller.decorator';
import { RequireScope } from '../auth/route-access.decorator';
import { ApiListQuery } from '../reading/list-query.decorator';
import { EraseUser } from './erase-user.service';
import { ExportUser } from './export-user.service';
import { FindUsers } from './find-users.service';
import { ListUserDeliveries } from './list-user-deliveries.service';

/** The users of an application: found, written out and erased. */
@ApiTags('Users')
@RequireScope('read')
@Controller('api/users')
export class UsersController {
  constructor(
    private readonly findUsers: FindUsers,
    private readonly listUserDeliveries: ListUserDeliveries,
    private readonly exportUser: ExportUser,
    private readonly eraseUser: EraseUser,
  ) {}

  @Get()
  @ApiOperation({ summary: 'List users whose ids begin with a prefix' })
  @ApiListQuery({ most: 200, usual: 50 }, 'prefix')
  @ApiOkResponse({ schema: USERS_SCHEMA })
  async list(
    @CurrentCaller() { appId }: Caller,
    @Query() query: unknown,
  ): Promise<Listed<'users', ListedUserResponse>> {
    return this.findUsers.list(appId, readListUsers(query));
  }

  @Get(':userId')
  @ApiOperation({ summary: 'Read a user: tags, attributes, devices' })
  @ApiOkResponse({ schema: USER_SCHEMA })
  async read(@CurrentCaller() { appId }: Caller, @Param() { userId }: UserPath): Promise<UserResponse> {
    return this.findUsers.find(appId, userId);
  }

  @Get(':userId/deliveries')
  @ApiOperation({ summary: 'List what a user was sent, newest first, and what became of it on each device' })
  @ApiListQuery({ most: 200, usual: 50 })
  @ApiOkResponse({ schema: USER_DELIVERIES_SCHEMA })
  async deliveries(
    @CurrentCaller() { appId }: Caller,
    @Param() { userId }: UserPath,
    @Query() query: unknown,
  ): Promise<Listed<'deliveries', UserDeliveryResponse>> {
    return this.listUserDeliveries.list(appId, userId, readListUserDeliveries(query));
  }

  @Get(':userId/export')
  @ApiOperation({ summary: 'Write out all that is stored about a user' })
  @ApiOkResponse({ schema: USER_EXPORT_SCHEMA })
  async export(
    @CurrentCaller() { appId }: Caller,
    @Param() { userId }: UserPath,
    @Res() reply: FastifyReply,
  ): Promise<void> {
    const json = await this.exportUser.open(appId, userId);
    await reply.code(200).type('application/json; charset=utf-8').send(json);
  }

  @Delete(':userId')
  @RequireScope('server')
  @ApiOperation({ summary: 'Erase a user and all that is stored about him' })
  @ApiOkResponse({ schema: ERASURE_SCHEMA })
  async erase(@CurrentCaller() { appId }: Caller, @Param() { userId }: UserPath): Promise<ErasureResponse> {
    return this.eraseUser.erase(appId, userId);
  }
}
