import type { OpenAPI3, OperationObject, ParameterObject } from 'openapi-typescript';

const METHODS = ['get', 'put', 'post', 'patch', 'delete'] as const;

/**
 * The POSTs and PATCHes whose second run changes nothing that the first did not. Only these, sends with their key, and
 * the methods that HTTP calls idempotent are repeated when it is not known whether they arrived. An operation that is
 * not listed is not repeated.
 */
const REPEATABLE = new Set([
  ...['previewMessage', 'countGroup', 'explainGroup', 'exportGroup', 'checkVendorCredentials'],
  ...['addTags', 'removeTags', 'addValueTag', 'removeValueTag', 'setAttributes', 'addChannelMembers'],
  ...['markInboxRead', 'markInboxMessageRead', 'updateApplication', 'updateTracker', 'updateWebhook', 'cancelMessage'],
  // Existing items stay: sent again, it adds the missing ones.
  'importApplication',
]);

/** Parameters that every operation may have, and that are options of a call. */
const OPTIONS = new Set(['userHash', 'X-User-Hash', 'Idempotency-Key']);

type Schema = Record<string, unknown>;

/** The client's knowledge about an operation. */
interface Operation {
  id: string;
  method: string;
  path: string;
  summary: string;
  access: string;
  isOperators: boolean;
  isPublic: boolean;
  parameters: ParameterObject[];
  /** The content types that its body may have. */
  body: string[];
  isBodyRequired: boolean;
  /** The content types of its answer. */
  answer: string[];
  hasKey: boolean;
  /** True if it sends messages, so that it can be asked to count only. */
  isSend: boolean;
  /** The field of its answer that holds the entries of a page. */
  items: string | null;
}

/**
 * The source of a module with a method for every operation of the API document, named as the operation: parameters of the path first, then the
 * body, then the query, then the options of the call.
 */
export function serverOperations(document: OpenAPI3): string {
  const operations = operationsOf(document);
  return [
    "import type { operations } from './document';",
    "import { Caller, type CallOptions, type FileSource, type Pages, type Place, type Query, type Body, type Answer, type Keyed, type KeyedOptions, type SendOptions, type Sent, type UploadOptions } from '../calls/caller';",
    '',
    '/** Where each operation is, and when a call of it may be repeated. */',
    'const OPERATIONS = {',
    ...operations.map((operation) => `  ${operation.id}: ${JSON.stringify(factsOf(operation))},`),
    '} as const;',
    '',
    '/** A method for each operation of the API, named as in the API reference. */',
    'export abstract class Operations extends Caller {',
    operations.flatMap(methodsOf).join('\n\n'),
    '}',
    '',
  ].join('\n');
}

function operationsOf(document: OpenAPI3): Operation[] {
  return Object.entries(document.paths ?? {}).flatMap(([path, item]) =>
    METHODS.flatMap((method) => {
      const operation = (item as Record<string, OperationObject | undefined>)[method];
      return operation === undefined ? [] : [operationOf(document, `${method.toUpperCase()} ${path}`, operation)];
    }),
  );
}

function operationOf(document: OpenAPI3, route: string, operation: OperationObject): Operation {
  const [method = '', path = ''] = route.split(' ');
  const { id, summary, description, security, parameters, body } = factsIn(operation);
  const answer = contentOf(operation);
  const isPaged = parameters.some(({ name }) => name === 'cursor');
  return {
    id,
    method,
    path,
    summary,
    access: description,
    isOperators: security.some((requirement) => 'operator' in requirement),
    isPublic: security.length === 0,
    parameters: parameters.filter(({ name }) => !OPTIONS.has(name)),
    body: Object.keys(body.content),
    isBodyRequired: body.required,
    answer: Object.keys(answer),
    hasKey: parameters.some(({ name }) => name === 'Idempotency-Key'),
    isSend: parameters.some(({ name }) => name === 'dryRun'),
    items: isPaged ? itemsOf(document, answer['application/json']) : null,
  };
}

/** Returns the facts of an operation, without optional ones that are absent. */
function factsIn(operation: OperationObject): {
  id: string;
  summary: string;
  description: string;
  security: object[];
  parameters: ParameterObject[];
  body: { content: object; required: boolean };
} {
  const { operationId: id = '', summary = '', description = '', security = [], parameters = [] } = operation;
  const body = { content: {}, required: false, ...operation.requestBody };
  return { id, summary, description, security, parameters: parameters as ParameterObject[], body };
}

/** Returns the content of an operation's successful answer, by content type. */
function contentOf({ responses }: OperationObject): Record<string, { schema?: Schema } | undefined> {
  const contents = Object.entries((responses ?? {}) as Record<string, { content?: object }>)
    .filter(([status]) => status.startsWith('2'))
    .map(([, { content }]) => content ?? {});
  return Object.assign({}, ...contents) as Record<string, { schema?: Schema }>;
}

/** Returns the field that holds the entries of a page; null if the answer is no page, or has several lists. */
function itemsOf(document: OpenAPI3, content: { schema?: Schema } | undefined): string | null {
  const fields = fieldsOf(document, content?.schema?.$ref);
  const lists = Object.keys(fields).filter((name) => fields[name]?.type === 'array');
  const [list = null] = lists;
  return 'nextCursor' in fields && lists.length === 1 ? list : null;
}

function fieldsOf({ components }: OpenAPI3, reference: unknown): Record<string, Schema> {
  const schemas = (components?.schemas ?? {}) as Record<string, Schema | undefined>;
  const name = typeof reference === 'string' ? reference.split('/').at(-1) : undefined;
  return (schemas[name ?? '']?.properties ?? {}) as Record<string, Schema>;
}

/** Returns the facts of an operation for a call; see `OperationFacts` of the client. */
function factsOf(operation: Operation): object {
  const { id, method, path, isOperators, isPublic, hasKey, body } = operation;
  const isSafe = ['GET', 'PUT', 'DELETE'].includes(method) || REPEATABLE.has(id);
  return {
    method,
    path,
    access: isOperators ? 'operator' : isPublic ? 'public' : 'token',
    repeat: hasKey ? 'key' : isSafe ? 'always' : 'refused',
    ...(body[0] === undefined ? {} : { contentType: body[0] }),
  };
}

function methodsOf(operation: Operation): string[] {
  const isBoth = operation.answer.includes('text/csv') && operation.answer.includes('application/json');
  if (!isBoth) return [methodOf(operation, operation.id, '')];
  return [methodOf(operation, operation.id, 'json'), methodOf(operation, `${operation.id}AsCsv`, 'csv')];
}

/** @param format the one of two formats that the method asks for; '' if there is only one */
function methodOf(operation: Operation, name: string, format: '' | 'json' | 'csv'): string {
  const { id, summary, access, method, path } = operation;
  const parts = [placesOf(operation), bodyOf(operation), queryOf(operation, format)];
  const words = [...parts.flatMap((part) => part.words), `options?: ${optionsOf(operation)}`];
  const values = parts.flatMap((part) => part.values);
  const { type, call } = resultOf(operation, format);
  const text = [summary, '', `\`${method} ${path}\`. ${access}`]
    .join('\n   * ')
    .replaceAll('*/', '* /')
    .replaceAll('* \n', '*\n');
  const called = call(`OPERATIONS.${id}`, values.length === 0 ? '{}' : `{ ${values.join(', ')} }`);
  return `  /**\n   * ${text}\n   */\n  ${name}(${words.join(', ')}): ${type} {\n    return this.${called};\n  }`;
}

/** Parameters of a method, and their form in the call. */
interface Part {
  words: string[];
  values: string[];
}

function placesOf(operation: Operation): Part {
  const places = parametersIn(operation, 'path');
  const path = places.map(({ name }) => `'${name}': ${camel(name)}`).join(', ');
  const words = places.map((place) => `${camel(place.name)}: ${placeType(operation, place)}`);
  return { words, values: path === '' ? [] : [`path: { ${path} }`] };
}

/** Returns `string` for any text, which says more to a reader than where its type is in the document. */
function placeType({ id }: Operation, { name, schema }: ParameterObject): string {
  const { type, enum: words } = (schema ?? {}) as Schema;
  return type === 'string' && words === undefined ? 'string' : `Place<operations['${id}'], '${name}'>`;
}

function bodyOf(operation: Operation): Part {
  if (operation.body.length === 0) return { words: [], values: [] };
  if (takesFile(operation)) return { words: ['file: FileSource'], values: ['file'] };
  return {
    words: [`body${operation.isBodyRequired ? '' : '?'}: Body<operations['${operation.id}']>`],
    values: ['body'],
  };
}

/** Parameters of the query that a method does not take: a CSV file is not a page of a list. */
const LEFT_OUT = { '': [], json: ['format'], csv: ['format', 'cursor', 'limit'] } as const satisfies Record<
  string,
  readonly string[]
>;

function queryOf(operation: Operation, format: keyof typeof LEFT_OUT): Part {
  // The query of a send is one of its options.
  if (operation.isSend) return { words: [], values: [] };
  const type = `Query<operations['${operation.id}']>`;
  const all = parametersIn(operation, 'query');
  const left: readonly string[] = LEFT_OUT[format].filter((unwanted) => all.some(({ name }) => name === unwanted));
  const query = all.filter(({ name }) => !left.includes(name));
  const mark = query.some(({ required }) => required) ? '' : '?';
  const omitted = left.map((name) => `'${name}'`).join(' | ');
  return {
    words: query.length === 0 ? [] : [`query${mark}: ${omitted === '' ? type : `Omit<${type}, ${omitted}>`}`],
    values: format === 'csv' ? ["query: { ...query, format: 'csv' }"] : query.length === 0 ? [] : ['query'],
  };
}

function optionsOf(operation: Operation): string {
  if (operation.isSend) return 'SendOptions';
  if (operation.hasKey) return 'KeyedOptions';
  return takesFile(operation) ? 'UploadOptions' : 'CallOptions';
}

function takesFile({ body }: Operation): boolean {
  return body.length > 0 && !body.includes('application/json');
}

/** The type of what a method gives, and the call that gives it. */
function resultOf(
  { id, answer, isSend, hasKey, items }: Operation,
  format: keyof typeof LEFT_OUT,
): { type: string; call: (facts: string, values: string) => string } {
  const body = `Answer<operations['${id}']>`;
  const simply = (name: string) => (facts: string, values: string) => `${name}(${facts}, ${values}, options)`;
  if (isSend) return { type: 'Promise<Sent>', call: simply('send') };
  if (hasKey) return { type: `Promise<Keyed<${body}>>`, call: simply('once') };
  if (format === 'csv' || !answer.includes('application/json'))
    return { type: 'Promise<Response>', call: simply('download') };
  if (items !== null) {
    return {
      type: `Pages<${body}, ${body}['${items}'][number]>`,
      call: (facts, values) => `list(${facts}, ${values}, '${items}', options)`,
    };
  }
  return { type: `Promise<${body}>`, call: simply('call') };
}

function parametersIn({ parameters }: Operation, place: string): ParameterObject[] {
  return parameters.filter((parameter) => parameter.in === place);
}

/** `track_id` is `trackId`. */
function camel(name: string): string {
  return name.replaceAll(/_(\w)/g, (_match, letter: string) => letter.toUpperCase());
}
