import { Module } from '@nestjs/common';
import { RemoveApplication } from '@postrider/maintenance';
import { InstallationsModule } from '../../devices/installations.module';
import { Applications } from './applications.service';
import { CountUnproved } from './count-unproved.service';
import { IdentityKeys } from './identity-keys.service';
import { SettingsEffects } from './settings-effects.service';

/** Applications and their settings, for all that an operator does with them. */
@Module({
  imports: [InstallationsModule],
  providers: [Applications, CountUnproved, IdentityKeys, RemoveApplication, SettingsEffects],
  exports: [Applications, IdentityKeys],
})
export class ApplicationsModule {}
