import { Module } from '@nestjs/common';
import { EraseUser } from './erase-user.service';
import { ExportUser } from './export-user.service';
import { FindUsers } from './find-users.service';
import { ListUserDeliveries } from './list-user-deliveries.service';
import { UsersController } from './users.controller';

/** The users of an application. */
@Module({
  controllers: [UsersController],
  providers: [FindUsers, ListUserDeliveries, ExportUser, EraseUser],
})
export class UsersModule {}
