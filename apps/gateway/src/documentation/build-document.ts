import type { NestFastifyApplication } from '@nestjs/platform-fastify';
import { DocumentBuilder, type OpenAPIObject, SwaggerModule } from '@nestjs/swagger';
import { REPORTS_PATH } from '../http/form-content';
import { ERROR_SCHEMA } from './error-schema';

const METHODS = ['get', 'put', 'post', 'delete', 'patch'] as const;
type SecurityRequirement = NonNullable<OpenAPIObject['security']>[number];

const OPERATOR: SecurityRequirement[] = [{ operator: [] }];
/** Providers prove themselves by a signature, or by a secret in the path. */
const NONE: SecurityRequirement[] = [];
const TOKEN: SecurityRequirement[] = [{ query: [] }, { header: [] }, { bearer: [] }];

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
  for (const [path, item] of Object.entries(document.paths)) {
    for (const method of METHODS) {
      const operation = item[method];
      if (!operation) continue;
      operation.security = securityOf(path);
      operation.responses.default ??= {
        description: 'An error',
        content: { 'application/json': { schema: { $ref: '#/components/schemas/Error' } } },
      };
    }
  }
  return document;
}

function securityOf(path: string): SecurityRequirement[] {
  if (path.startsWith('/api/admin/')) return OPERATOR;
  return path.startsWith(REPORTS_PATH) ? NONE : TOKEN;
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
