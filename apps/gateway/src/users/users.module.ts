import { Module } from '@nestjs/common';
import { APP_INTERCEPTOR } from '@nestjs/core';
import { EraseUser, QuietUser } from '@postrider/maintenance';
import { InstallationsModule } from '../devices/installations.module';
import { AwaitErasure } from './await-erasure.interceptor';
import { ExportUser } from './export-user.service';
import { ExportUsers } from './export-users.service';
import { FindUsers, ListUserDeliveries } from './find-users.service';
import { UsersController } from './users.controller';

/** The users of an application. */
@Module({
  imports: [InstallationsModule],
  controllers: [UsersController],
  providers: [
    FindUsers,
    ListUserDeliveries,
    ExportUser,
    ExportUsers,
    EraseUser,
    QuietUser,
    { provide: APP_INTERCEPTOR, useClass: AwaitErasure },
  ],
})
export class UsersModule {}
