import { applyDecorators } from '@nestjs/common';
import { ApiExtension } from '@nestjs/swagger';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import type { Scope } from '@postrider/domain';

/** Who may call a route: everybody, the operator only, or also the holders of a token with one of the scopes. */
export type EndpointAccess = { kind: 'public' } | { kind: 'operator' } | { kind: 'token'; scopes: readonly Scope[] };

/**
 * Who may call a route of a plugin: those whom the plugin itself admits (the panel, the queues), or anybody, without a
 * look at the access token (links that people click).
 */
type PluginAccess = { kind: 'plugin' } | { kind: 'anybody' };

/** Where Nest's Fastify adapter looks for what a handler adds to its route's `config`. */
const ROUTE_CONFIG = '__fastify_route_config__';

/**
 * Where the generation of the API document finds who may call an operation, until it has written that in the terms of
 * OpenAPI.
 */
export const ACCESS_EXTENSION = 'x-access';

/** What the marks below put into a route's `config`. */
interface MarkedConfig {
  access?: EndpointAccess | PluginAccess;
  changesOnGet?: boolean;
  takesUpload?: boolean;
  takesJsonFile?: boolean;
}

/**
 * Marks a route, or all unmarked routes of a controller, as open to the `ADMIN_TOKEN` only (`Authorization: Bearer`).
 */
export function OperatorOnly(): ClassDecorator & MethodDecorator {
  return markAccess({ kind: 'operator' });
}

/** Marks a route, or all unmarked routes of a controller, as one that needs no token (health, documentation). */
export function Public(): ClassDecorator & MethodDecorator {
  return markAccess({ kind: 'public' });
}

/**
 * Marks a route, or all unmarked routes of a controller, as open to an application's token with one of `scopes`.
 * Without this mark, and without `@OperatorOnly()` or `@Public()`, a route answers nobody.
 */
export function RequireScope(...scopes: [Scope, ...Scope[]]): ClassDecorator & MethodDecorator {
  return markAccess({ kind: 'token', scopes });
}

/**
 * Marks a GET that changes something because callers of the REST interface rely on it. HEAD must change nothing, so it
 * is refused there.
 */
export function ChangesOnGet(): MethodDecorator {
  return mark({ changesOnGet: true });
}

/** Marks a route that accepts a file of any size, which may take long to arrive. */
export function TakesUpload(): MethodDecorator {
  return mark({ takesUpload: true });
}

/**
 * Marks a route that accepts a file which may be a JSON document of any size: it is passed on unparsed, like other
 * files.
 */
export function TakesJsonFile(): MethodDecorator {
  return mark({ takesUpload: true, takesJsonFile: true });
}

/** Marks every route that a plugin adds to `scope` from now on, as the decorators do for the routes of controllers. */
export function markEndpoints(scope: FastifyInstance, access: PluginAccess): void {
  scope.addHook('onRoute', (route) => {
    route.config = { ...route.config, access };
  });
}

/** Who may call the route of a request. Undefined: the route has no mark, and nobody may. */
export function accessOf(request: FastifyRequest): EndpointAccess | PluginAccess | undefined {
  return (request.routeOptions.config as MarkedConfig).access;
}

/** True if the route that a request reached is marked with `@ChangesOnGet()`. */
export function changesOnGet(request: FastifyRequest): boolean {
  return isChangedByGet(request.routeOptions.config);
}

/** True if the route with this config is marked with `@ChangesOnGet()`. */
export function isChangedByGet(config: object | undefined): boolean {
  return (config as MarkedConfig | undefined)?.changesOnGet === true;
}

/** True if the route that a request reached is marked with `@TakesUpload()`. */
export function takesUpload(request: FastifyRequest): boolean {
  return (request.routeOptions.config as MarkedConfig).takesUpload === true;
}

/** True if the route that a request reached is marked with `@TakesJsonFile()`. */
export function takesJsonFile(request: FastifyRequest): boolean {
  return (request.routeOptions.config as MarkedConfig).takesJsonFile === true;
}

/** Marks the route's config and the API document together, so that they agree. */
function markAccess(access: EndpointAccess): ClassDecorator & MethodDecorator {
  return applyDecorators(mark({ access }), ApiExtension(ACCESS_EXTENSION, access));
}

/** A method's own mark overrides its controller's: methods are decorated first. */
function mark(config: MarkedConfig): ClassDecorator & MethodDecorator {
  return (target: object, _key?: string | symbol, descriptor?: PropertyDescriptor): void => {
    if (descriptor) add(config, descriptor.value as object);
    else for (const handler of handlersOf(target as { prototype: object })) add(config, handler);
  };
}

function handlersOf({ prototype }: { prototype: object }): object[] {
  return Object.entries(Object.getOwnPropertyDescriptors(prototype))
    .filter(([name, { value }]) => name !== 'constructor' && typeof value === 'function')
    .map(([, { value }]) => value as object);
}

function add(config: MarkedConfig, handler: object): void {
  const present = Reflect.getMetadata(ROUTE_CONFIG, handler) as MarkedConfig | undefined;
  Reflect.defineMetadata(ROUTE_CONFIG, { ...config, ...present }, handler);
}
