import type { FastifyRequest } from 'fastify';
import type { ErrorCode } from '@postrider/domain';
import type { SpanPlace } from '@postrider/platform';
import type { Identity } from './identify';

/** What the gateway notes about a request while it runs: read by the guard, written to the request's one log line. */
export interface RequestFacts {
  identity: Identity;
  /** The application that the base path or the host names; undefined when neither does, null when it cannot be read. */
  addressedAppId: string | null | undefined;
  /** The application that the request acted on. */
  appId?: string;
  /** The messages that the request accepted (the first 20). */
  messageIds?: readonly string[];
  errorCode?: ErrorCode;
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
