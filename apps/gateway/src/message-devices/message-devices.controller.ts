import { Controller, Get, Param, Query } from '@nestjs/common';
import { ApiOkResponse, ApiOperation, ApiQuery, ApiTags } from '@nestjs/swagger';
import {
  MESSAGE_DEVICE_SCHEMA,
  type MessageDeviceResponse,
  MESSAGE_DEVICES_SCHEMA,
  readMessageDevices,
} from '@postrider/contracts';
import type { Caller } from '../auth/caller';
import { CurrentCaller } from '../auth/current-caller.decorator';
import { RequireScope } from '../auth/route-access.decorator';
import { ReadMessageDevices } from './read-message-devices.service';

/** What a message came to on single devices, and why some got nothing. */
@ApiTags('Reading')
@RequireScope('read')
@Controller('api/push/messages/:id/devices')
export class MessageDevicesController {
  constructor(private readonly readDevices: ReadMessageDevices) {}

  @Get()
  @ApiOperation({ summary: "Read what a message came to on a user's devices, and why some got nothing" })
  @ApiQuery({ name: 'userId', schema: { type: 'string' } })
  @ApiOkResponse({ schema: MESSAGE_DEVICES_SCHEMA })
  async ofUser(
    @CurrentCaller() { appId }: Caller,
    @Param('id') id: string,
    @Query() query: unknown,
  ): Promise<{ devices: MessageDeviceResponse[] }> {
    return { devices: await this.readDevices.ofUser(appId, id, readMessageDevices(query).userId) };
  }

  @Get(':installationId')
  @ApiOperation({ summary: 'Read what a message came to on one device' })
  @ApiOkResponse({ schema: MESSAGE_DEVICE_SCHEMA })
  async ofInstallation(
    @CurrentCaller() { appId }: Caller,
    @Param('id') id: string,
    @Param('installationId') installationId: string,
  ): Promise<MessageDeviceResponse> {
    return this.readDevices.ofInstallation(appId, id, installationId);
  }
}
