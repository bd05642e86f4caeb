import { Module } from '@nestjs/common';
import { APP_INTERCEPTOR } from '@nestjs/core';
import { InstallationsModule } from '../devices/installations.module';
import { AwaitErasure } from './await-erasure.interceptor';
import { EraseUser } from './erase-user.service';
import { ExportUser } from './export-user.service';
import { FindUsers } from './find-users.service';
import { ListUserDeliveries } from './list-user-deliveries.service';
import { QuietUser } from './quiet-user.service';
import { ResumeErasures } from './resume-erasures.service';
import { UsersController } from './users.controller';

/** The users of an application. */
@Module({
  imports: [InstallationsModule],
  controllers: [UsersController],
  providers: [
    FindUsers,
    ListUserDeliveries,
    ExportUser,
    EraseUser,
    QuietUser,
    ResumeErasures,
    { provide: APP_INTERCEPTOR, useClass: AwaitErasure },
  ],
})
export class UsersModule {}
