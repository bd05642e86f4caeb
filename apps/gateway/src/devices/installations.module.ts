import { Module } from '@nestjs/common';
import type { Clock } from '@postrider/domain';
import { FormerOwner } from '@postrider/maintenance';
import { ReceiptRecorder, ReceiptsRepository } from '@postrider/persistence';
import { CLOCK } from '@postrider/platform';
import { ClaimDeferredLink } from '../trackers/claim-deferred-link.service';
import { ChannelMembers } from '../channels/channels.service';
import { ChannelMembersController } from '../channels/channel-members.controller';
import { DeviceDataController } from './data/device-data.controller';
import { Installations } from './installations.service';
import { OwnerLookups } from './registration/owner-lookups.service';
import { UserIdentity } from './registration/user-identity.service';
import { InstallationsController } from './installations.controller';
import { PresenceController } from './presence.controller';
import { PageStart } from './registration/page-start.service';
import { RegisterDevice } from './registration/register-device.service';
import { RegistrationBatches } from './registration/registration-batches.service';
import { RecordEvents } from './data/record-events.service';
import { UserAttributes } from './data/user-attributes.service';

/** Devices: their registration, and their reports about themselves and their users. */
@Module({
  controllers: [DeviceDataController, InstallationsController, PresenceController, ChannelMembersController],
  providers: [
    RegisterDevice,
    RegistrationBatches,
    FormerOwner,
    PageStart,
    Installations,
    UserIdentity,
    UserAttributes,
    RecordEvents,
    OwnerLookups,
    ClaimDeferredLink,
    {
      provide: ReceiptRecorder,
      useFactory: (receipts: ReceiptsRepository, clock: Clock) => new ReceiptRecorder(receipts, clock),
      inject: [ReceiptsRepository, CLOCK],
    },
    ChannelMembers,
  ],
  exports: [UserIdentity, OwnerLookups, FormerOwner, ReceiptRecorder],
})
export class InstallationsModule {}
