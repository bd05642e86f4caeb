import { type CustomDecorator, SetMetadata } from '@nestjs/common';
import type { Scope } from '@postrider/domain';

/** Metadata key under which the guard finds the scopes that a route asks for. */
export const REQUIRED_SCOPES = Symbol('RequiredScopes');

/**
 * Marks a route (or a controller) as needing an application's token that carries one of `scopes`. Without this mark, and
 * without `@OperatorOnly()` or `@Public()`, a route answers nobody.
 */
export function RequireScope(...scopes: [Scope, ...Scope[]]): CustomDecorator<symbol> {
  return SetMetadata(REQUIRED_SCOPES, scopes);
}
