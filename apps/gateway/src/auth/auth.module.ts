import { Global, Module } from '@nestjs/common';
import { APP_GUARD } from '@nestjs/core';
import { AuthGuard } from './auth.guard';
import { Credentials } from './credentials.service';

/** Decides, for every route of the gateway, who may call it. */
@Global()
@Module({
  providers: [Credentials, { provide: APP_GUARD, useClass: AuthGuard }],
  exports: [Credentials],
})
export class AuthModule {}
