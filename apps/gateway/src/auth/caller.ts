import type { ErrorCode, Scope } from '@postrider/domain';
import type { ShownAccessToken } from '@postrider/persistence';
import type { SpanPlace } from '@postrider/platform';
import type { FastifyRequest } from 'fastify';
import { createParamDecorator, type ExecutionContext } from '@nestjs/common';

/** The caller who sends a request: unknown (`stranger`), the operator, or the holder of an application's token. */
export type Identity =
  | { kind: 'stranger' }
  /** `application`: the one that they name. Undefined if they name none, null if it does not exist. */
  | { kind: 'operator'; application: string | null | undefined }
  | { kind: 'token'; token: ShownAccessToken };

/** What is known about the caller before the body of a request is read. */
export interface Identified {
  identity: Identity;
  /** The application that the base path or the host names. Undefined if neither does, null if it cannot be read. */
  addressedAppId: string | null | undefined;
}

/**
 * What the gateway records about a request while it runs. Each stage reads what earlier stages recorded; the request's
 * log line contains it.
 */
export interface RequestFacts extends Identified {
  /** The application of the request. */
  appId?: string;
  /** The messages that the request accepted (the first 20). */
  messageIds?: readonly string[];
  errorCode?: ErrorCode;
  /** How often it looked whether erasures that it waits for have ended; absent: never. */
  looks?: number;
  /** Its place among traces, while they are collected. */
  span?: SpanPlace;
}

/** A request of the gateway: Fastify's, with the facts on it. */
export interface GatewayRequest extends FastifyRequest {
  facts: RequestFacts;
}

/** The facts of a request. */
export function factsOf(request: FastifyRequest): RequestFacts {
  return (request as GatewayRequest).facts;
}

/** Who makes a request, as `Authorization` found out. */
export interface Caller {
  /** The application that the request acts on: the token's own, or the one an operator addressed. */
  appId: string;
  /** What the token allows. An operator may do everything. */
  scopes: readonly Scope[];
  /** Null for an operator (`ADMIN_TOKEN`). */
  tokenId: string | null;
}

/** An authorized request. */
export interface AuthenticatedRequest extends FastifyRequest {
  caller: Caller;
}

/** The `Caller` of the request, as a controller method's parameter. */
export const CurrentCaller = createParamDecorator(
  (_: unknown, context: ExecutionContext): Caller => context.switchToHttp().getRequest<AuthenticatedRequest>().caller,
);
