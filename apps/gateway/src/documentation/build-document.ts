import { STATUS_CODES } from 'node:http';
import { ERROR_STATUS, type Scope } from '@postrider/domain';
import type { NestFastifyApplication } from '@nestjs/platform-fastify';
import { DocumentBuilder, type OpenAPIObject, SwaggerModule } from '@nestjs/swagger';
import { ACCESS_EXTENSION, type EndpointAccess } from '../auth/endpoint-access.decorator';
import { SchemaNames } from './name-schemas';
import { nameOperation } from './operation-names';
import { addCommonHeaders, COMMON_HEADERS } from './response-headers';
import { separateRules } from './separate-rules';

type Schema = NonNullable<NonNullable<OpenAPIObject['components']>['schemas']>[string];

/** The schema of every error. */
const ERROR_SCHEMA: Schema = {
  type: 'object',
  required: ['error'],
  properties: {
    error: {
      type: 'object',
      required: ['name', 'status', 'message'],
      properties: {
        name: { type: 'string' },
        status: { type: 'integer', enum: [...new Set(Object.values(ERROR_STATUS))] },
        message: { type: 'string' },
        code: { type: 'string', enum: Object.keys(ERROR_STATUS) },
        details: {
          type: 'array',
          description: 'Every bad field, under the name that the caller gave it',
          items: {
            type: 'object',
            required: ['path', 'message'],
            properties: { path: { type: 'string' }, message: { type: 'string' } },
          },
        },
        count: {
          type: 'integer',
          description: 'With the code AUDIENCE_CHANGED: the number of devices that the message would be sent to now',
        },
        current: {
          description:
            'With the code EDIT_CONFLICT: the version that someone else has saved in the meantime; null if it was deleted',
          anyOf: [{ type: 'object', additionalProperties: true }, { type: 'null' }],
        },
        outcome: {
          type: 'string',
          enum: ['unknown'],
          description:
            'With the code UNAVAILABLE: the request may have been carried out. Absent: nothing was carried out',
        },
      },
    },
  },
};

/** The answer when something was removed. */
const REMOVED_SCHEMA = { type: 'object', properties: { id: { type: 'string' } } };

const METHODS = ['get', 'put', 'post', 'delete', 'patch'] as const;
type SecurityRequirement = NonNullable<OpenAPIObject['security']>[number];

type OperationObject = NonNullable<OpenAPIObject['paths'][string]['get']>;

type Marked = OperationObject & { [ACCESS_EXTENSION]?: EndpointAccess; 'x-required-scopes'?: readonly Scope[] };

/**
 * The credentials of each kind of caller. SMS providers, which have no token, prove themselves by a signature, or by a
 * secret in the path.
 */
const SECURITY: Record<EndpointAccess['kind'], SecurityRequirement[]> = {
  operator: [{ operator: [] }],
  public: [],
  token: [{ query: [] }, { header: [] }, { bearer: [] }],
};

/** The parts of the document that are common to all routes. */
export function buildDocument(app: NestFastifyApplication): OpenAPIObject {
  const head = new DocumentBuilder()
    .setOpenAPIVersion('3.1.0')
    .setTitle('Postrider')
    .setDescription(
      'Push messages to the devices of an application’s users: sending, devices, tags, reading, administration. ' +
        'Every path also exists under `/apps/<appId>` and at `<appId>.<host>`; a token of another application is refused there.',
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
      separateExamples(operation);
      names.nameOperation(operation);
      for (const parameter of operation.parameters ?? []) correctSchema(parameter);
    }
  }
  document.components = {
    ...document.components,
    schemas: separateRules({
      Error: ERROR_SCHEMA,
      ...(sorted({ ...document.components?.schemas, ...names.schemas }) as Record<string, typeof ERROR_SCHEMA>),
    }),
    responses: errorResponses(),
    headers: COMMON_HEADERS,
  };
  return document;
}

/** Keywords that the framework puts beside a parameter's schema although they belong into it (OpenAPI 3.1 §4.8.12). */
const SCHEMA_WORDS = ['not'];

/**
 * Moves the words of a schema that stand beside it into it, and removes the type of a field of several types: the
 * framework takes that from the class property, which has the type after parsing.
 */
function correctSchema(parameter: object): void {
  const { schema, ...beside } = parameter as { schema?: Record<string, unknown> } & Record<string, unknown>;
  if (schema === undefined) return;
  for (const word of SCHEMA_WORDS.filter((one) => one in beside)) {
    schema[word] = beside[word];
    Reflect.deleteProperty(parameter, word);
  }
  if (!('oneOf' in schema || 'anyOf' in schema)) return;
  delete schema.type;
  delete schema.format;
}

/** Documents who may call an operation, from the mark of its route (`@RequireScope`, `@OperatorOnly`, `@Public`). */
function nameAccess(operation: Marked): EndpointAccess['kind'] {
  const access = operation['x-access'];
  delete operation['x-access'];
  if (access?.kind === 'token') operation['x-required-scopes'] = access.scopes;
  const kind = access?.kind ?? 'public';
  operation.security = SECURITY[kind];
  return kind;
}

function describe(kind: EndpointAccess['kind'], operation: Marked): string {
  if (kind === 'operator') return 'Takes the token of the operator.';
  if (kind === 'public') return 'Takes no token.';
  const scopes = operation['x-required-scopes'] ?? [];
  const takes = `Takes a token with the scope ${scopes.map((scope) => `\`${scope}\``).join(' or ')}`;
  return scopes.includes('server') ? `${takes}.` : `${takes}; \`server\` covers all of them.`;
}

/** What the operations under each tag are about. */
const TAGS: Record<string, string> = {
  Admin: 'Applications, their access tokens and their credentials at vendors; for the operator.',
  Channels: 'Public and private topics of an application, and their members.',
  Inbox: 'The messages that an installation can show in the app.',
  Installations: 'Devices: registration, vendor tokens, attributes, presence, events.',
  Operations: "The health of an application's vendors, and what an operator can do about it.",
  'Promo codes': 'Sets of promo codes, uploaded as files, and the codes assigned to users.',
  Reading: 'The results of messages and campaigns, down to each device.',
  'SMS reports': 'Reports of SMS providers about the delivery of an SMS.',
  Segments: 'Saved rules for an audience: counted, explained, measured over time.',
  Sending: 'Messages to users, to a segment, to a channel; previews and dry runs.',
  Drafts: 'Messages that people are writing.',
  Templates: 'Content of messages that is kept under names, in versions.',
  Tags: 'Tags of users, one by one and from files.',
  Trackers: 'Links that lead into an app, and deferred deep links.',
  Users: 'The data of a user: reading, exporting, erasing.',
  Events: 'Events that backends track for users, and the report of uninstalled apps.',
  Imports: 'Import of devices from the files of other systems, and its progress.',
  Webhooks: "The addresses that receive an application's events, and the log of what was sent to them.",
};

function tagsOf({ paths }: OpenAPIObject): { name: string; description?: string }[] {
  const operations = Object.values(paths).flatMap((item) => METHODS.flatMap((method) => item[method] ?? []));
  const names = new Set(operations.flatMap(({ tags }) => tags ?? []));
  return [...names].sort().map((name) => ({ name, description: TAGS[name] }));
}

function sorted<Value>(named: Record<string, Value>): Record<string, Value> {
  return Object.fromEntries(Object.entries(named).sort(([one], [other]) => (one < other ? -1 : 1)));
}

type Operation = NonNullable<OpenAPIObject['paths'][string]['get']>;
type Responses = NonNullable<NonNullable<OpenAPIObject['components']>['responses']>;

const CONTENT = { 'application/json': { schema: { $ref: '#/components/schemas/Error' } } };

/** The errors that more than a few operations answer, and when. Other errors are documented at their routes. */
const ERRORS: Readonly<Record<number, string>> = {
  400: 'a bad field, parameter or path; `details` names each',
  401: 'the access token is missing, unknown, revoked or of another application, or two tokens differ; or a required `userHash` is missing or wrong',
  403: "the token's scopes do not cover the call, or the request names something that does not belong to the device",
  404: 'the path names something that does not exist, or the operator names an unknown application',
  406: '`Accept` excludes the type of the answer',
  408: 'the body did not arrive in time',
  413: 'the body is too large',
  415: 'the body is of another type, in another charset, or compressed',
  429: 'over the request limit, too many large reads at once, or too many wrong tokens',
  431: 'the headers are too large',
  500: 'an unexpected error',
  503: 'the database is unavailable; nothing was done, unless `error.outcome` is `unknown`',
};

/** `components.responses`: one for each error. */
function errorResponses(): Responses {
  return Object.fromEntries(
    Object.entries(ERRORS).map(([status, description]) => {
      const response = { description, content: CONTENT };
      addCommonHeaders(status, response);
      return [nameOf(Number(status)), response];
    }),
  );
}

/**
 * Documents the errors of an operation, beside those that its route documents. Every possible status is listed, so
 * there is no `default`.
 */
function addErrors(operation: Operation, method: string, path: string, access: EndpointAccess['kind']): void {
  for (const status of statusesOf(method, path, access)) {
    operation.responses[status] ??= { $ref: `#/components/responses/${nameOf(status)}` };
  }
  for (const [status, response] of Object.entries(operation.responses)) {
    if (!response || '$ref' in response) continue;
    if (Number(status) >= 400) response.content ??= CONTENT;
    if (response.description === '') response.description = STATUS_CODES[status] ?? status;
    addCommonHeaders(status, response);
  }
}

/** Leaves each type of a file its own examples: the framework gives all types the same schema. */
function separateExamples({ requestBody }: Operation): void {
  if (!requestBody || '$ref' in requestBody || !('application/x-ndjson' in requestBody.content)) return;
  for (const [type, media] of Object.entries(requestBody.content)) {
    const { examples, ...schema } = (media.schema ?? {}) as { examples?: string[] };
    const own = examples?.filter((text) => text.startsWith('{') === (type === 'application/x-ndjson'));
    if (own !== undefined) media.schema = { ...schema, examples: own };
  }
}

function statusesOf(method: string, path: string, access: EndpointAccess['kind']): number[] {
  return [
    ...[400, 406, 429, 431, 500, 503],
    ...(access === 'public' ? [] : [401]),
    ...(access === 'operator' ? [] : [403]),
    ...(access === 'token' || path.includes('{') ? [404] : []),
    ...(method === 'get' ? [] : [408, 413, 415]),
  ];
}

/** Returns the name of a status: 413 is `PayloadTooLarge`. */
function nameOf(status: number): string {
  return (STATUS_CODES[status] ?? String(status)).replaceAll(/\W/g, '');
}
