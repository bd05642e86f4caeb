import { Controller, Delete, Get, Param, Query, Req, Res, StreamableFile } from '@nestjs/common';
import { ApiOkResponse, ApiOperation, ApiTags, ApiUnprocessableEntityResponse } from '@nestjs/swagger';
import {
  ErasureResponse,
  ListUserDeliveriesQuery,
  ListUsersQuery,
  UserDeliveryListResponse,
  UserExportResponse,
  UserListResponse,
  UserPath,
  UserResponse,
} from '@postrider/contracts';
import { EraseUser } from '@postrider/maintenance';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { type Caller, CurrentCaller } from '../auth/caller';
import { RequireScope } from '../auth/endpoint-access.decorator';
import { CurrentHeavyCaller, type HeavyCaller } from '../heavy-reads/heavy-reads.service';
import { announceCsv, ApiJsonOrCsv, wantsCsv } from '../http/csv';
import { ExportUser } from './export-user.service';
import { ExportUsers } from './export-users.service';
import { FindUsers, ListUserDeliveries } from './find-users.service';

/** The users of an application: found, exported and erased. */
@ApiTags('Users')
@RequireScope('read')
@Controller('api/users')
export class UsersController {
  constructor(
    private readonly findUsers: FindUsers,
    private readonly listUserDeliveries: ListUserDeliveries,
    private readonly exportUser: ExportUser,
    private readonly exportUsers: ExportUsers,
    private readonly eraseUser: EraseUser,
  ) {}

  @Get()
  @ApiOperation({ summary: 'List users by the beginning of their ids, or by an attribute; all of them as CSV' })
  @ApiJsonOrCsv(UserListResponse)
  @ApiUnprocessableEntityResponse({ description: 'looking for the attribute takes too long' })
  async list(
    @CurrentHeavyCaller() caller: HeavyCaller,
    @Query() query: ListUsersQuery,
    @Req() request: FastifyRequest,
    @Res({ passthrough: true }) reply: FastifyReply,
  ): Promise<UserListResponse | StreamableFile> {
    if (!wantsCsv(query.format, request)) return this.findUsers.list(caller, query);
    const csv = await this.exportUsers.open(caller, query);
    void announceCsv(reply, 'users.csv');
    return new StreamableFile(csv);
  }

  @Get(':userId')
  @ApiOperation({ summary: 'Read a user: tags, attributes, devices' })
  @ApiOkResponse({ type: UserResponse })
  async read(@CurrentCaller() { appId }: Caller, @Param() { userId }: UserPath): Promise<UserResponse> {
    return this.findUsers.find(appId, userId);
  }

  @Get(':userId/deliveries')
  @ApiOperation({ summary: 'List the deliveries to a user, newest first, with their states' })
  @ApiOkResponse({ type: UserDeliveryListResponse })
  async deliveries(
    @CurrentCaller() { appId }: Caller,
    @Param() { userId }: UserPath,
    @Query() query: ListUserDeliveriesQuery,
  ): Promise<UserDeliveryListResponse> {
    return this.listUserDeliveries.list(appId, userId, query);
  }

  @Get(':userId/export')
  @ApiOperation({ summary: 'Export all data that is stored about a user' })
  @ApiOkResponse({ type: UserExportResponse })
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
  @ApiOperation({ summary: 'Erase a user and all that is stored about them' })
  @ApiOkResponse({ type: ErasureResponse })
  async erase(@CurrentCaller() { appId }: Caller, @Param() { userId }: UserPath): Promise<ErasureResponse> {
    return this.eraseUser.erase(appId, userId);
  }
}
