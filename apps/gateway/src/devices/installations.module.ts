import { Module } from '@nestjs/common';
import type { Clock } from '@postrider/domain';
import { ReceiptRecorder, ReceiptsRepository } from '@postrider/persistence';
import { CLOCK } from '@postrider/platform';
import { HandOverLink } from '../trackers/hand-over-link.service';
import { ChannelMembers } from './channel-members.service';
import { ChannelsController } from './channels.controller';
import { DeviceDataController } from './data/device-data.controller';
import { FormerOwner } from './registration/former-owner.service';
import { FindInstallations } from './find-installations.service';
import { FindOwnersTogether } from './registration/find-owners-together.service';
import { InstallationsController } from './installations.controller';
import { PageStart } from './registration/page-start.service';
import { PresenceController } from './presence.controller';
import { RegisterDevice } from './registration/register-device.service';
import { RegisterTogether } from './registration/register-together.service';
import { RecordEvents } from './data/record-events.service';
import { RemoveInstallation } from './remove-installation.service';
import { UserAttributes } from './data/user-attributes.service';
import { UserIdentity } from './registration/user-identity.service';

/** Devices: how they register, and what they tell about themselves and their users. */
@Module({
  controllers: [DeviceDataController, InstallationsController, PresenceController, ChannelsController],
  providers: [
    RegisterDevice,
    RegisterTogether,
    FormerOwner,
    PageStart,
    FindInstallations,
    RemoveInstallation,
    UserIdentity,
    UserAttributes,
    RecordEvents,
    FindOwnersTogether,
    HandOverLink,
    {
      provide: ReceiptRecorder,
      useFactory: (receipts: ReceiptsRepository, clock: Clock) => new ReceiptRecorder(receipts, clock),
      inject: [ReceiptsRepository, CLOCK],
    },
    ChannelMembers,
  ],
  exports: [UserIdentity, FindInstallations, FindOwnersTogether, FormerOwner, ReceiptRecorder],
})
export class InstallationsModule {}
