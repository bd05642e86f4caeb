import { type CustomDecorator, SetMetadata } from '@nestjs/common';

/** Metadata key of routes for operators and routes for everybody. */
export const ROUTE_ACCESS = Symbol('RouteAccess');

/** Marks a route that only the `ADMIN_TOKEN` opens (`Authorization: Bearer`). */
export function OperatorOnly(): CustomDecorator<symbol> {
  return SetMetadata(ROUTE_ACCESS, 'operator');
}

/** Marks a route that needs no token (health, documentation). */
export function Public(): CustomDecorator<symbol> {
  return SetMetadata(ROUTE_ACCESS, 'public');
}
