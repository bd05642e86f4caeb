import { Global, Module } from '@nestjs/common';
import { APP_GUARD } from '@nestjs/core';
import { AuthGuard } from './auth.guard';
import { Authorization } from './authorization.service';
import { PanelSessions } from './sessions/panel-sessions';
import { Credentials } from './credentials.service';
import { SignInLimit } from './sign-in-limit.service';

/** Decides, for every route of the gateway, who may call it. */
@Global()
@Module({
  providers: [Credentials, Authorization, PanelSessions, SignInLimit, { provide: APP_GUARD, useClass: AuthGuard }],
  exports: [Credentials, Authorization, PanelSessions, SignInLimit],
})
export class AuthModule {}
