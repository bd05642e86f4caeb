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
import { OwnerLookups } from './registration/owner-lookups.service';
import { InstallationsController } from './installations.controller';
import { PageStart } from './registration/page-start.service';
import { PresenceController } from './presence.controller';
import { RegisterDevice } from './registration/register-device.service';
import { RegistrationBatches } from './registration/registration-batches.service';
import { RecordEvents } from './data/record-events.service';
import { RemoveInstallation } from './remove-installation.service';
import { UserAttributes } from './data/user-attributes.service';
import { UserIdentity } from './registration/user-identity.service';

/** Devices: how they register, and what they tell about themselves and their users. */
@Module({
  controllers: [DeviceDataController, InstallationsController, PresenceController, ChannelsController],
  providers: [
    RegisterDevice,
    RegistrationBatches,
    FormerOwner,
    PageStart,
    FindInstallations,
    RemoveInstallation,
    UserIdentity,
    UserAttributes,
    RecordEvents,
    OwnerLookups,
    HandOverLink,
    {
      provide: ReceiptRecorder,
      useFactory: (receipts: ReceiptsRepository, clock: Clock) => new ReceiptRecorder(receipts, clock),
      inject: [ReceiptsRepository, CLOCK],
    },
    ChannelMembers,
  ],
  exports: [UserIdentity, FindInstallations, OwnerLookups, FormerOwner, ReceiptRecorder],
})
export class InstallationsModule {}
