import type { ErrorCode } from '@postrider/domain';
import type { ShownAccessToken } from '@postrider/persistence';
import type { SpanPlace } from '@postrider/platform';
import type { FastifyRequest } from 'fastify';

/** Who a request comes from: nobody that is known (`stranger`), the operator, or the holder of an application's token. */
export type Identity =
  | { kind: 'stranger' }
  /** `application`: the one they act on; undefined when they name none, null when there is none of that name. */
  | { kind: 'operator'; application: string | null | undefined }
  | { kind: 'token'; token: ShownAccessToken };

/** What is known about the sender of a request before its body is read. */
export interface Identified {
  identity: Identity;
  /** The application that the base path or the host names; undefined when neither does, null when it cannot be read. */
  addressedAppId: string | null | undefined;
}

/** What the gateway notes about a request while it runs: each stage reads what those before it noted, its one log line tells it. */
export interface RequestFacts extends Identified {
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
