import { Controller, Get, Param, Query } from '@nestjs/common';
import { ApiOkResponse, ApiOperation, ApiTags } from '@nestjs/swagger';
import { MessageDeviceResponse, MessageDevicesQuery, MessageDevicesResponse } from '@postrider/contracts';
import { type Caller, CurrentCaller } from '../../auth/caller';
import { RequireScope } from '../../auth/endpoint-access.decorator';
import { ReadMessageDevices } from './read-message-devices.service';

/** The deliveries of a message to single devices, and the reasons why some got nothing. */
@ApiTags('Reading')
@RequireScope('read')
@Controller('api/push/messages/:id/devices')
export class MessageDevicesController {
  constructor(private readonly readDevices: ReadMessageDevices) {}

  @Get()
  @ApiOperation({
    summary: 'Read the result of a message on each device of a user, with the reason where it was not sent',
  })
  @ApiOkResponse({ type: MessageDevicesResponse })
  async ofUser(
    @CurrentCaller() { appId }: Caller,
    @Param('id') id: string,
    @Query() query: MessageDevicesQuery,
  ): Promise<MessageDevicesResponse> {
    return { devices: await this.readDevices.ofUser(appId, id, query.userId.normalize('NFC')) };
  }

  @Get(':installationId')
  @ApiOperation({ summary: 'Read the result of a message on one device' })
  @ApiOkResponse({ type: MessageDeviceResponse })
  async ofInstallation(
    @CurrentCaller() { appId }: Caller,
    @Param('id') id: string,
    @Param('installationId') installationId: string,
  ): Promise<MessageDeviceResponse> {
    return this.readDevices.ofInstallation(appId, id, installationId);
  }
}
