import { Global, Module } from '@nestjs/common';
import { Authentication } from './authentication.service';
import { Authorization } from './authorization.service';
import { Credentials } from './credentials.service';
import { InternalPages } from './internal-pages.service';
import { PanelSessions } from './sessions/panel-sessions';
import { RequestLimit } from './request-budget';
import { SignInLimit } from './sign-in-limit.service';

const ALL = [Credentials, PanelSessions, SignInLimit, Authentication, Authorization, RequestLimit, InternalPages];

/** Decides, for every route of the gateway, who may call it. */
@Global()
@Module({ providers: ALL, exports: ALL })
export class AuthModule {}
