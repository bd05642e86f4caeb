import type { Scope } from '@postrider/domain';
import type { NestFastifyApplication } from '@nestjs/platform-fastify';
import { DocumentBuilder, type OpenAPIObject, SwaggerModule } from '@nestjs/swagger';
import { ACCESS_EXTENSION, type RouteAccess } from '../auth/route-access.decorator';
import { ERROR_SCHEMA } from './error-schema';

const METHODS = ['get', 'put', 'post', 'delete', 'patch'] as const;
type SecurityRequirement = NonNullable<OpenAPIObject['security']>[number];

type OperationObject = NonNullable<OpenAPIObject['paths'][string]['get']>;

type Marked = OperationObject & { [ACCESS_EXTENSION]?: RouteAccess; 'x-required-scopes'?: readonly Scope[] };

/** What a caller shows. Providers of SMS, whom no token lets in, prove themselves by a signature, or by a secret in the path. */
const SECURITY: Record<RouteAccess['kind'], SecurityRequirement[]> = {
  operator: [{ operator: [] }],
  public: [],
  token: [{ query: [] }, { header: [] }, { bearer: [] }],
};

/** What the document says of every route that a route's own marks do not say. */
export function buildDocument(app: NestFastifyApplication): OpenAPIObject {
  const head = new DocumentBuilder()
    .setOpenAPIVersion('3.1.0')
    .setTitle('Postrider')
    .setDescription(
      'Push messages to the devices of an application’s users: sending, devices, tags, reading, administration.',
    )
    .setVersion('1')
    .addServer('/', 'this gateway')
    .addServer('/apps/{appId}', 'this gateway, one application', { appId: { default: 'demo' } })
    .addApiKey({ type: 'apiKey', in: 'query', name: 'access_token' }, 'query')
    .addApiKey({ type: 'apiKey', in: 'header', name: 'X-Access-Token' }, 'header')
    .addBearerAuth({ type: 'http', scheme: 'bearer', description: "an application's token" }, 'bearer')
    .addBearerAuth({ type: 'http', scheme: 'bearer', description: 'the ADMIN_TOKEN' }, 'operator')
    .build();
  const document = SwaggerModule.createDocument(app, head);
  document.components = { ...document.components, schemas: { ...document.components?.schemas, Error: ERROR_SCHEMA } };
  for (const item of Object.values(document.paths)) {
    for (const method of METHODS) {
      const operation = item[method];
      if (!operation) continue;
      nameAccess(operation);
      operation.responses.default ??= {
        description: 'An error',
        content: { 'application/json': { schema: { $ref: '#/components/schemas/Error' } } },
      };
    }
  }
  return document;
}

/** Says who may call an operation, as its route's mark does (`@RequireScope`, `@OperatorOnly`, `@Public`). */
function nameAccess(operation: OperationObject): void {
  const marked = operation as Marked;
  const access = marked['x-access'];
  delete marked['x-access'];
  if (access?.kind === 'token') marked['x-required-scopes'] = access.scopes;
  operation.security = access === undefined ? [] : SECURITY[access.kind];
}

/** The names of all query parameters of a document, and of those that every operation takes. */
export function queryNamesOf({ paths }: OpenAPIObject): Set<string> {
  const names = new Set(['access_token', 'appId']);
  for (const item of Object.values(paths)) {
    for (const method of METHODS) {
      for (const parameter of item[method]?.parameters ?? []) {
        if ('in' in parameter && parameter.in === 'query') names.add(parameter.name);
      }
    }
  }
  return names;
}
