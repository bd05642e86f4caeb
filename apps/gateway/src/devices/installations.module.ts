import { Module } from '@nestjs/common';
import { FormerOwner } from '@postrider/maintenance';
import { ClaimDeferredLink } from './registration/claim-deferred-link.service';
import { ChannelMembers } from '../channels/channels.service';
import { ChannelMembersController } from '../channels/channel-members.controller';
import { ReceiptsModule } from '../receipts/receipts.module';
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
  imports: [ReceiptsModule],
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
    ChannelMembers,
  ],
  exports: [UserIdentity, OwnerLookups, FormerOwner],
})
export class InstallationsModule {}
