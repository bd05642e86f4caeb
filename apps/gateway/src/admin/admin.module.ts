import { Module } from '@nestjs/common';
import { InstallationsModule } from '../installations/installations.module';
import { OperationsModule } from '../operations/operations.module';
import { ApplicationsController } from './applications.controller';
import { Applications } from './applications.service';
import { CountUnproved } from './count-unproved.service';
import { CreateApplication } from './create-application.service';
import { SettingsEffects } from './settings-effects.service';
import { RemoveApplication } from './remove-application.service';
import { TokensController } from './tokens.controller';
import { Tokens } from './tokens.service';
import { VendorsController } from './vendors.controller';
import { VendorSenders } from './vendor-senders.service';
import { Vendors } from './vendors.service';

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
