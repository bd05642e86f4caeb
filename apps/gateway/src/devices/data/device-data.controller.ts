import { Body, Controller, HttpCode, Post, Put } from '@nestjs/common';
import { ApiOkResponse, ApiOperation, ApiTags } from '@nestjs/swagger';
import {
  AttributesRequest,
  CountResponse,
  DeviceEventsRequest,
  IncrementRequest,
  UserInfoRequest,
} from '@postrider/contracts';
import type { JsonObject } from '@postrider/domain';
import { type Caller, CurrentCaller } from '../../auth/caller';
import { RequireScope } from '../../auth/endpoint-access.decorator';
import { RecordEvents } from './record-events.service';
import { UserHash, ApiUserHash } from '../registration/user-hash.decorator';
import { UserAttributes } from './user-attributes.service';

const ATTRIBUTES_OF_USER = { type: 'object', description: "The user's attributes", additionalProperties: true };

/** Data of users that devices and the application's backend report. */
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
  @ApiOkResponse({ schema: ATTRIBUTES_OF_USER })
  async changeUserInfo(
    @CurrentCaller() caller: Caller,
    @Body() body: UserInfoRequest,
    @UserHash() userHash: string | null,
  ): Promise<JsonObject> {
    return this.userAttributes.change({ caller, userHash }, body);
  }

  @Post('attributes')
  @HttpCode(200)
  @RequireScope('server')
  @ApiOperation({ summary: 'Set attributes of a user, or of one installation alone' })
  @ApiOkResponse({ type: CountResponse })
  async setAttributes(@CurrentCaller() { appId }: Caller, @Body() body: AttributesRequest): Promise<CountResponse> {
    return { count: await this.userAttributes.set(appId, body) };
  }

  @Post('incrementAttribute')
  @HttpCode(200)
  @ApiOperation({ summary: "Add to number attributes of the device's user" })
  @ApiUserHash()
  @ApiOkResponse({ schema: ATTRIBUTES_OF_USER })
  async increment(
    @CurrentCaller() caller: Caller,
    @Body() body: IncrementRequest,
    @UserHash() userHash: string | null,
  ): Promise<JsonObject> {
    return this.userAttributes.increment({ caller, userHash }, body);
  }

  @Post('events')
  @HttpCode(200)
  @ApiOperation({ summary: 'Report receipts, tracked behaviour and opened links' })
  @ApiUserHash()
  @ApiOkResponse({ type: CountResponse })
  async report(
    @CurrentCaller() caller: Caller,
    @Body() body: DeviceEventsRequest,
    @UserHash() userHash: string | null,
  ): Promise<CountResponse> {
    await this.recordEvents.record({ caller, userHash }, body);
    return { count: body.eventData.length };
  }
}
