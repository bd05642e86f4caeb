import { randomUUID } from 'node:crypto';
import { PostriderError } from '../postrider-error';
import type { SendResponse } from '../generated/document';
import type { FileSource } from './file-source';
import { type PageOfList, Pages } from './pages';
import type { CallValues, OperationFacts } from './request';
import type { Answered, Transport, TransportCall } from './transport';

export type { FileSource, Pages };

/** A parameter in the path of an operation. */
export type Place<Operation, Name extends string> = Operation extends {
  parameters: { path: Record<Name, infer Value> };
}
  ? Value
  : never;

/** The query of an operation. */
export type Query<Operation> = Operation extends { parameters: { query?: infer Names } }
  ? Omit<NonNullable<Names>, 'userHash'>
  : never;

/** The body of an operation. */
export type Body<Operation> = Operation extends { requestBody?: infer Request }
  ? NonNullable<Request> extends { content: infer Contents }
    ? Contents[keyof Contents]
    : never
  : never;

/** The answer of an operation that succeeds. */
export type Answer<Operation> = Operation extends { responses: infer Responses }
  ? JsonOf<Responses[keyof Responses & (200 | 201 | 202)]>
  : never;
type JsonOf<Response> = Response extends { content: { 'application/json': infer Value } } ? Value : never;

/** The options of a call beside the operation's own values. */
export interface CallOptions {
  /** Ends the call: it throws the signal's reason. */
  signal?: AbortSignal;
  /** How long one attempt may take; 0 for no limit. */
  timeoutMs?: number;
  /** How often the call may be repeated. */
  maxRetries?: number;
  /** The proof whose device or user it is, where the application asks for one. */
  userHash?: string;
  /** Further headers. */
  headers?: Record<string, string>;
}

/** The options of an upload. By default an upload may take any time. */
export interface UploadOptions extends CallOptions {
  /** The type of the file, if there is a choice: `text/csv`, `application/x-ndjson`. */
  contentType?: string;
  /** `gzip`, where the operation takes packed files. */
  contentEncoding?: string;
}

/** The options of a call that the service carries out once for each key. */
export interface KeyedOptions extends CallOptions {
  /**
   * The key of the call: 1 to 255 printable characters. A call with a key of an earlier call of the last 24 hours does nothing and gets that
   * call's answer. Without one the client makes one for each call, which covers the call's own repetitions.
   */
  idempotencyKey?: string;
}

/** The options of a send. */
export interface SendOptions extends KeyedOptions {
  /** Validates and counts, and sends nothing. */
  dryRun?: boolean;
}

/** The answer to a call that the service carries out once for each key. */
export type Keyed<Value> = Value & {
  /** True if an earlier call with the same idempotency key did what this one asks for. */
  isReplay: boolean;
};

/** The answer to a send. */
export type Sent = Keyed<SendResponse> & {
  /** The messages of the send; of a list of messages the first 20. None with `dryRun`. */
  messageIds: string[];
  /** Names all messages of a list. */
  batchId: string | null;
};

/** How operations are called. */
export abstract class Caller {
  protected constructor(private readonly transport: Transport) {}

  /**
   * Calls an operation that this version of the client has no method for. It is repeated only if the service refused it, or if
   * it is a `GET`.
   *
   * @param path with its query: `/api/installations/import?format=tokens`
   * @param content a body that becomes JSON, or a file
   */
  async request<Value>(
    method: string,
    path: `/api/${string}`,
    content: { body?: unknown; file?: FileSource } = {},
    options: UploadOptions = {},
  ): Promise<Value> {
    return this.call(factsOf(method, path, content), content, options);
  }

  /** Like `request`, for an operation whose answer is a file or may be of any type. The answer is not read yet. */
  async requestFile(
    method: string,
    path: `/api/${string}`,
    content: { body?: unknown; file?: FileSource } = {},
    options: UploadOptions = {},
  ): Promise<Response> {
    return this.download(factsOf(method, path, content), content, options);
  }

  /** Calls an operation that answers JSON. */
  protected async call<Value>(facts: OperationFacts, values: CallValues, options: CallOptions = {}): Promise<Value> {
    return (await this.transport.call(facts, values, callOf(options), jsonOf<Value>)).value;
  }

  /** Sends messages, under an idempotency key. */
  protected async send(facts: OperationFacts, values: CallValues, options: SendOptions = {}): Promise<Sent> {
    const query = { dryRun: options.dryRun };
    const { value, headers } = await this.#callWithKey<SendResponse>(facts, { ...values, query }, options);
    const ids = headers.get('x-message-id') ?? '';
    return { ...value, messageIds: ids === '' ? [] : ids.split(','), batchId: headers.get('x-batch-id') };
  }

  /** Calls an operation that answers JSON, under an idempotency key. */
  protected async once<Value>(
    facts: OperationFacts,
    values: CallValues,
    options: KeyedOptions = {},
  ): Promise<Keyed<Value>> {
    return (await this.#callWithKey<Value>(facts, values, options)).value;
  }

  async #callWithKey<Value>(
    facts: OperationFacts,
    values: CallValues,
    { idempotencyKey = randomUUID(), ...options }: KeyedOptions,
  ): Promise<Answered<Keyed<Value>>> {
    const call = callOf({ ...options, headers: { 'idempotency-key': idempotencyKey, ...options.headers } });
    const { value, headers } = await this.transport.call(facts, values, call, jsonOf<Value>);
    return { headers, value: { ...value, isReplay: headers.get('idempotent-replayed') === 'true' } };
  }

  /** Calls an operation that answers a file. The answer is not read yet: `text()`, or `body` as a stream. */
  protected async download(facts: OperationFacts, values: CallValues, options: CallOptions = {}): Promise<Response> {
    return (await this.transport.call(facts, values, callOf(options), (answer) => Promise.resolve(answer))).value;
  }

  /** Reads a list page by page. */
  protected list<Page extends PageOfList, Entry>(
    facts: OperationFacts,
    values: CallValues,
    entries: string & keyof Page,
    options?: CallOptions,
  ): Pages<Page, Entry> {
    return new Pages<Page, Entry>((cursor) => {
      const query = cursor === undefined ? values.query : { ...values.query, cursor };
      return this.call<Page>(facts, { ...values, query }, options);
    }, entries);
  }
}

/** The methods of operations. */
const METHODS = ['GET', 'POST', 'PUT', 'PATCH', 'DELETE'];

/**
 * What the client knows about an operation of which it knows the address only.
 *
 * @throws TypeError for words that are no request: `fetch` would refuse them as if the connection had failed, and a path
 *   that does not begin with a slash would name another host, which would get the token
 */
function factsOf(method: string, path: string, { body, file }: CallValues): OperationFacts {
  if (!METHODS.includes(method)) throw new TypeError(`method must be one of ${METHODS.join(', ')}`);
  if (!path.startsWith('/api/')) throw new TypeError('path must begin with /api/');
  if (body !== undefined && file !== undefined) throw new TypeError('A request has a body or a file, not both');
  if (method === 'GET' && (body !== undefined || file !== undefined))
    throw new TypeError('GET has no body and no file');
  const access = path.startsWith('/api/admin/') ? 'operator' : 'token';
  const repeat = method === 'GET' ? 'always' : 'refused';
  return { method, path, access, repeat, contentType: 'application/json' };
}

function callOf({ userHash, headers, contentType, contentEncoding, ...options }: UploadOptions): TransportCall {
  const { signal, timeoutMs, maxRetries } = options;
  return {
    signal,
    timeoutMs,
    maxRetries,
    headers: {
      ...(contentType === undefined ? {} : { 'content-type': contentType }),
      ...(contentEncoding === undefined ? {} : { 'content-encoding': contentEncoding }),
      ...(userHash === undefined ? {} : { 'x-user-hash': userHash }),
      ...headers,
    },
  };
}

async function jsonOf<Value>(answer: Response): Promise<Value> {
  const text = await answer.text();
  try {
    return JSON.parse(text) as Value;
  } catch (cause) {
    throw new PostriderError('BAD_ANSWER', 'The answer is not JSON: is this the address of a gateway?', {
      status: answer.status,
      cause,
    });
  }
}
