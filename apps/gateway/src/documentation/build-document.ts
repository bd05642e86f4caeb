import type { Scope } from '@postrider/domain';
import type { NestFastifyApplication } from '@nestjs/platform-fastify';
import { DocumentBuilder, type OpenAPIObject, SwaggerModule } from '@nestjs/swagger';
import { ACCESS_EXTENSION, type RouteAccess } from '../auth/route-access.decorator';
import { addErrors, errorResponses } from './error-responses';
import { ERROR_SCHEMA, REMOVED_SCHEMA } from './error-schema';
import { SchemaNames } from './name-schemas';
import { nameOperation } from './operation-names';

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
      'Push messages to the devices of an application’s users: sending, devices, tags, reading, administration. ' +
        'Every path also stands under `/apps/<appId>` and at `<appId>.<host>`; a token of another application is refused there.',
    )
    .setVersion('1')
    .addServer('/', 'this gateway')
    .addApiKey({ type: 'apiKey', in: 'query', name: 'access_token' }, 'query')
    .addApiKey({ type: 'apiKey', in: 'header', name: 'X-Access-Token' }, 'header')
    // Not `addBearerAuth`, which calls every token a JWT.
    .addSecurity('bearer', { type: 'http', scheme: 'bearer', description: "an application's token" })
    .addSecurity('operator', { type: 'http', scheme: 'bearer', description: 'the ADMIN_TOKEN' })
    .build();
  const document = SwaggerModule.createDocument(app, head);
  document.info.license = { name: 'Apache License 2.0', identifier: 'Apache-2.0' } as typeof document.info.license;
  document.tags = tagsOf(document);
  const names = new SchemaNames({ Removed: REMOVED_SCHEMA });
  for (const [path, item] of Object.entries(document.paths)) {
    for (const method of METHODS) {
      const operation = item[method];
      if (!operation) continue;
      operation.operationId = nameOperation(`${method.toUpperCase()} ${path}`, operation.operationId ?? '');
      const access = nameAccess(operation);
      operation.description ??= describe(access, operation);
      addErrors(operation, method, path, access);
      names.nameOperation(operation);
      for (const parameter of operation.parameters ?? []) dropGuessedType(parameter);
    }
  }
  document.components = {
    ...document.components,
    schemas: {
      Error: ERROR_SCHEMA,
      ...(sorted({ ...document.components?.schemas, ...names.schemas }) as Record<string, typeof ERROR_SCHEMA>),
    },
    responses: errorResponses(),
  };
  return document;
}

/** Of a query's field of several types the framework says the type of the class's property as well, which is what it is read as. */
function dropGuessedType(parameter: object): void {
  const { schema } = parameter as { schema?: Record<string, unknown> };
  if (schema === undefined || !('oneOf' in schema || 'anyOf' in schema)) return;
  delete schema.type;
  delete schema.format;
}

/** Says who may call an operation, as its route's mark does (`@RequireScope`, `@OperatorOnly`, `@Public`). */
function nameAccess(operation: Marked): RouteAccess['kind'] {
  const access = operation['x-access'];
  delete operation['x-access'];
  if (access?.kind === 'token') operation['x-required-scopes'] = access.scopes;
  const kind = access?.kind ?? 'public';
  operation.security = SECURITY[kind];
  return kind;
}

function describe(kind: RouteAccess['kind'], operation: Marked): string {
  if (kind === 'operator') return 'Takes the token of the operator.';
  if (kind === 'public') return 'Takes no token.';
  const scopes = (operation['x-required-scopes'] ?? []).map((scope) => `\`${scope}\``);
  return `Takes a token with the scope ${scopes.join(' or ')}; \`server\` covers all of them.`;
}

/** What the operations under each tag are about. */
const TAGS: Record<string, string> = {
  Admin: 'Applications, their access tokens and their credentials at vendors; for the operator.',
  Channels: 'Public and private topics of an application, and who is a member.',
  Inbox: 'The messages that an installation can show in the app.',
  Installations: 'Devices: registration, vendor tokens, attributes, presence, events.',
  Operations: 'Whether an application reaches its vendors, and what an operator does about it.',
  'Promo codes': 'Sets of codes, uploaded as files, and who was given which code.',
  Reading: 'What became of messages and campaigns, down to each device.',
  'SMS reports': 'Where SMS providers report what became of an SMS.',
  Segments: 'Saved rules for an audience: counted, explained, measured over time.',
  Sending: 'Messages to users, to a segment, to a channel; previews and dry runs.',
  Tags: 'Tags of users, one by one and from files.',
  Trackers: 'Links that lead into an app, and deferred deep links.',
  Users: 'What is known of a user: reading, exporting, erasing.',
  Webhooks: 'Where an application wants to be told of events, and what was told.',
};

function tagsOf({ paths }: OpenAPIObject): { name: string; description?: string }[] {
  const operations = Object.values(paths).flatMap((item) => METHODS.flatMap((method) => item[method] ?? []));
  const names = new Set(operations.flatMap(({ tags }) => tags ?? []));
  return [...names].sort().map((name) => ({ name, description: TAGS[name] }));
}

function sorted<Value>(named: Record<string, Value>): Record<string, Value> {
  return Object.fromEntries(Object.entries(named).sort(([one], [other]) => (one < other ? -1 : 1)));
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
