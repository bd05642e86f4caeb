import { ROUTE_ARGS_METADATA } from '@nestjs/common/constants.js';
import { RouteParamtypes } from '@nestjs/common/enums/route-paramtypes.enum.js';
import { MetadataScanner, ModulesContainer } from '@nestjs/core';
import type { NestFastifyApplication } from '@nestjs/platform-fastify';
import { DECORATORS } from '@nestjs/swagger';
import 'reflect-metadata';

interface Class {
  prototype: Record<string, object>;
}

/** Query parameters that every operation takes. */
const OF_ALL = ['access_token', 'appId'];

/**
 * The names of all query parameters in the API document. They are read from the decorators of the routes: to make the document
 * takes up to a third of a second, in which a gateway answers nobody.
 */
export function queryNamesOf(app: NestFastifyApplication): Set<string> {
  const modules = [...app.get(ModulesContainer).values()];
  const all = modules.flatMap(({ controllers }) => [...controllers.keys()] as unknown[] as Class[]);
  const scanner = new MetadataScanner();
  const names = all.flatMap((controller) =>
    scanner
      .getAllMethodNames(controller.prototype)
      .flatMap((method) => [...namesByDecorator(controller, method), ...namesInClasses(controller, method)]),
  );
  return new Set([...OF_ALL, ...names]);
}

/** Those that `@ApiQuery` documents at a method. */
function namesByDecorator({ prototype }: Class, method: string): string[] {
  const documented = read<{ in: string; name: string }[]>(DECORATORS.API_PARAMETERS, prototype[method]) ?? [];
  return documented.filter((parameter) => parameter.in === 'query').map(({ name }) => name);
}

/** The fields of the classes that a method takes as `@Query()`. */
function namesInClasses(controller: Class, method: string): string[] {
  const places = read<Record<string, { index: number }>>(ROUTE_ARGS_METADATA, controller, method) ?? {};
  const types = read<Class[]>('design:paramtypes', controller.prototype, method) ?? [];
  return Object.entries(places)
    .filter(([kindAndPlace]) => Number.parseInt(kindAndPlace) === (RouteParamtypes.QUERY as number))
    .map(([, { index }]) => types[index]?.prototype)
    .flatMap((fields) => read<string[]>(DECORATORS.API_MODEL_PROPERTIES_ARRAY, fields) ?? [])
    .map((field) => field.replace(/^:/, ''));
}

/** What decorators have noted of a class, a method, or the fields of a class. */
function read<Noted>(note: string, target: object | undefined, method?: string): Noted | undefined {
  if (target === undefined) return undefined;
  return (method === undefined ? Reflect.getMetadata(note, target) : Reflect.getMetadata(note, target, method)) as
    Noted | undefined;
}
