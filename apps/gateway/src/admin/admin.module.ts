import { Module } from '@nestjs/common';
import { InstallationsModule } from '../devices/installations.module';
import { OperationsModule } from './operations/operations.module';
import { ApplicationsController } from './applications/applications.controller';
import { Applications } from './applications/applications.service';
import { CountUnproved } from './applications/count-unproved.service';
import { CreateApplication } from './applications/create-application.service';
import { SettingsEffects } from './applications/settings-effects.service';
import { RemoveApplication } from './applications/remove-application.service';
import { TokensController } from './applications/tokens.controller';
import { Tokens } from './applications/tokens.service';
import { VendorsController } from './vendors/vendors.controller';
import { VendorSenders } from './vendors/vendor-senders.service';
import { Vendors } from './vendors/vendors.service';

/** What an operator sets up: applications, their tokens, their vendors' credentials. */
@Module({
  imports: [InstallationsModule, OperationsModule],
  controllers: [ApplicationsController, TokensController, VendorsController],
  providers: [
    Applications,
    CountUnproved,
    CreateApplication,
    RemoveApplication,
    SettingsEffects,
    Tokens,
    Vendors,
    VendorSenders,
  ],
})
export class AdminModule {}
