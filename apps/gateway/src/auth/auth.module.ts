import { Global, Module } from '@nestjs/common';
import { APP_GUARD } from '@nestjs/core';
import { AuthGuard } from './auth.guard';
import { Authorization } from './authorization.service';
import { Credentials } from './credentials.service';

/** Decides, for every route of the gateway, who may call it. */
@Global()
@Module({
  providers: [Credentials, Authorization, { provide: APP_GUARD, useClass: AuthGuard }],
  exports: [Credentials, Authorization],
})
export class AuthModule {}
