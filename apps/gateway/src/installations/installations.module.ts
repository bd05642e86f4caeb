import { Module } from '@nestjs/common';
import { ChannelMembers } from './channel-members.service';
import { ChannelsController } from './channels.controller';
import { DeviceDataController } from './device-data.controller';
import { FindInstallations } from './find-installations.service';
import { InstallationsController } from './installations.controller';
import { RegisterDevice } from './register-device.service';
import { RecordEvents } from './record-events.service';
import { RemoveInstallation } from './remove-installation.service';
import { UserAttributes } from './user-attributes.service';
import { UserIdentity } from './user-identity.service';

/** Devices: how they register, and what they tell about themselves and their users. */
@Module({
  controllers: [DeviceDataController, InstallationsController, ChannelsController],
  providers: [
    RegisterDevice,
    FindInstallations,
    RemoveInstallation,
    UserIdentity,
    UserAttributes,
    RecordEvents,
    ChannelMembers,
  ],
  exports: [UserIdentity, FindInstallations],
})
export class InstallationsModule {}
