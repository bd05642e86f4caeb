import { Module } from '@nestjs/common';
import { EraseUser } from './erase-user.service';
import { ExportUser } from './export-user.service';
import { FindUsers } from './find-users.service';
import { UsersController } from './users.controller';

/** The users of an application. */
@Module({
  controllers: [UsersController],
  providers: [FindUsers, ExportUser, EraseUser],
})
export class UsersModule {}
