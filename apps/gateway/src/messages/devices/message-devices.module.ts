import { Module } from '@nestjs/common';
import { MessageDevicesController } from './message-devices.controller';
import { ReadMessageDevices } from './read-message-devices.service';

/** Single devices of a message. */
@Module({ controllers: [MessageDevicesController], providers: [ReadMessageDevices] })
export class MessageDevicesModule {}
