import { Controller, Get, Param, Query } from '@nestjs/common';
import { ApiOkResponse, ApiOperation, ApiTags } from '@nestjs/swagger';
import { MessageDeviceResponse, MessageDevicesQuery, MessageDevicesResponse } from '@postrider/contracts';
import type { Caller } from '../../auth/caller';
import { CurrentCaller } from '../../auth/current-caller.decorator';
import { RequireScope } from '../../auth/route-access.decorator';
import { ReadMessageDevices } from './read-message-devices.service';

/** What a message came to on single devices, and why some got nothing. */
@ApiTags('Reading')
@RequireScope('read')
@Controller('api/push/messages/:id/devices')
export class MessageDevicesController {
  constructor(private readonly readDevices: ReadMessageDevices) {}

  @Get()
  @ApiOperation({ summary: "Read what a message came to on a user's devices, and why some got nothing" })
  @ApiOkResponse({ type: MessageDevicesResponse })
  async ofUser(
    @CurrentCaller() { appId }: Caller,
    @Param('id') id: string,
    @Query() query: MessageDevicesQuery,
  ): Promise<MessageDevicesResponse> {
    return { devices: await this.readDevices.ofUser(appId, id, query.userId.normalize('NFC')) };
  }

  @Get(':installationId')
  @ApiOperation({ summary: 'Read what a message came to on one device' })
  @ApiOkResponse({ type: MessageDeviceResponse })
  async ofInstallation(
    @CurrentCaller() { appId }: Caller,
    @Param('id') id: string,
    @Param('installationId') installationId: string,
  ): Promise<MessageDeviceResponse> {
    return this.readDevices.ofInstallation(appId, id, installationId);
  }
}
