import { Module } from '@nestjs/common';
import { EraseUser, QuietUser } from '@postrider/maintenance';
import { InstallationsModule } from '../devices/installations.module';
import { ExportUser } from './export-user.service';
import { ExportUsers } from './export-users.service';
import { FindUsers, ListUserDeliveries } from './find-users.service';
import { UsersController } from './users.controller';

/** The users of an application. */
@Module({
  imports: [InstallationsModule],
  controllers: [UsersController],
  providers: [FindUsers, ListUserDeliveries, ExportUser, ExportUsers, EraseUser, QuietUser],
})
export class UsersModule {}
