import { Body, Controller, HttpCode, Post, Put } from '@nestjs/common';
import { ApiBody, ApiOkResponse, ApiOperation, ApiTags } from '@nestjs/swagger';
import {
  ATTRIBUTES_OF_USER_SCHEMA,
  ATTRIBUTES_SCHEMA,
  COUNT_SCHEMA,
  type CountResponse,
  DEVICE_EVENTS_SCHEMA,
  INCREMENT_SCHEMA,
  readAttributes,
  readDeviceEvents,
  readIncrement,
  readUserInfo,
  USER_INFO_SCHEMA,
} from '@postrider/contracts';
import type { JsonObject } from '@postrider/domain';
import type { Caller } from '../auth/caller';
import { CurrentCaller } from '../auth/current-caller.decorator';
import { RequireScope } from '../auth/route-access.decorator';
import { RecordEvents } from './record-events.service';
import { UserHash, ApiUserHash } from './user-hash';
import { UserAttributes } from './user-attributes.service';

/** What devices, and the application's backend, tell about users (device-protocol, Registration). */
@ApiTags('Installations')
@RequireScope('devices')
@Controller('api/installations')
export class DeviceDataController {
  constructor(
    private readonly userAttributes: UserAttributes,
    private readonly recordEvents: RecordEvents,
  ) {}

  @Put('userInfo')
  @ApiOperation({ summary: "Change attributes of the device's user" })
  @ApiUserHash()
  @ApiBody({ schema: USER_INFO_SCHEMA })
  @ApiOkResponse({ schema: ATTRIBUTES_OF_USER_SCHEMA })
  async changeUserInfo(
    @CurrentCaller() caller: Caller,
    @Body() body: unknown,
    @UserHash() userHash: string | null,
  ): Promise<JsonObject> {
    return this.userAttributes.change({ caller, userHash }, readUserInfo(body));
  }

  @Post('attributes')
  @HttpCode(200)
  @RequireScope('server')
  @ApiOperation({ summary: 'Set attributes of a user, or of one installation alone' })
  @ApiBody({ schema: ATTRIBUTES_SCHEMA })
  @ApiOkResponse({ schema: COUNT_SCHEMA })
  async setAttributes(@CurrentCaller() { appId }: Caller, @Body() body: unknown): Promise<CountResponse> {
    return { count: await this.userAttributes.set(appId, readAttributes(body)) };
  }

  @Post('incrementAttribute')
  @HttpCode(200)
  @ApiOperation({ summary: "Add to number attributes of the device's user" })
  @ApiUserHash()
  @ApiBody({ schema: INCREMENT_SCHEMA })
  @ApiOkResponse({ schema: ATTRIBUTES_OF_USER_SCHEMA })
  async increment(
    @CurrentCaller() caller: Caller,
    @Body() body: unknown,
    @UserHash() userHash: string | null,
  ): Promise<JsonObject> {
    return this.userAttributes.increment({ caller, userHash }, readIncrement(body));
  }

  @Post('events')
  @HttpCode(200)
  @ApiOperation({ summary: 'Report receipts, tracked behaviour and opened links' })
  @ApiBody({ schema: DEVICE_EVENTS_SCHEMA })
  @ApiUserHash()
  @ApiOkResponse({ schema: COUNT_SCHEMA })
  async report(
    @CurrentCaller() caller: Caller,
    @Body() body: unknown,
    @UserHash() userHash: string | null,
  ): Promise<CountResponse> {
    const request = readDeviceEvents(body);
    await this.recordEvents.record({ caller, userHash }, request);
    return { count: request.events.length };
  }
}
