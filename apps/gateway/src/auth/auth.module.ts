import { Global, Module } from '@nestjs/common';
import { Authentication } from './authentication.service';
import { Authorization } from './authorization.service';
import { CallerLookup } from './caller-lookup.service';
import { InternalPages } from './internal-pages.service';
import { PanelSessions } from './sessions/panel-sessions.service';
import { RequestLimit } from './request-limit.service';
import { SignInLimit } from './sign-in-limit.service';

const ALL = [CallerLookup, PanelSessions, SignInLimit, Authentication, Authorization, RequestLimit, InternalPages];

/** Decides, for every route of the gateway, who may call it. */
@Global()
@Module({ providers: ALL, exports: ALL })
export class AuthModule {}
