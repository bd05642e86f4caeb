import type { Repeat } from './retry';
import type { FileSource } from './file-source';

/** The address of an operation, who may call it, and when a call of it may be repeated. */
export interface OperationFacts {
  method: string;
  /** With names of parameters: `/api/users/{userId}`. */
  path: string;
  access: 'operator' | 'token' | 'public';
  repeat: Repeat;
  /** The content type of its body. */
  contentType?: string;
}

/** The values of a call. */
export interface CallValues {
  path?: Record<string, string | number>;
  query?: object | undefined;
  body?: unknown;
  file?: FileSource;
}

/** The address of the service, and the caller's tokens. */
export interface Access {
  /** The address of the gateway without `/api`. */
  url: string;
  /** An access token of the application, for a backend one with the scope `server`. */
  token?: string | undefined;
  /** The operator's token, for the operations under `/api/admin`; in place of `token` it acts on the application `appId`. */
  adminToken?: string | undefined;
  appId?: string | undefined;
}

/** The address of a call. @throws TypeError if a part of the path cannot be written */
export function addressOf({ url, appId }: Access, { path, access }: OperationFacts, values: CallValues): string {
  const base = access === 'token' && appId !== undefined ? `${url}/apps/${segment('appId', appId)}` : url;
  const filled = path.replaceAll(/\{(\w+)\}/g, (_match, name: string) => segment(name, values.path?.[name]));
  const query = queryOf(values.query);
  return base + filled + (query === '' ? '' : `?${query}`);
}

/** The header that proves who calls. @throws TypeError if the client was made without the token that the operation takes */
export function authorizationOf(access: Access, operation: OperationFacts): Record<string, string> {
  if (operation.access === 'public') return {};
  const token = operation.access === 'operator' ? access.adminToken : (access.token ?? access.adminToken);
  if (token === undefined) {
    throw new TypeError(`${operation.method} ${operation.path} takes ${WANTED[operation.access]}`);
  }
  if (operation.access === 'token' && access.token === undefined && access.appId === undefined) {
    throw new TypeError('With the adminToken alone the client needs the appId of the application to act on');
  }
  return { authorization: `Bearer ${token}` };
}

const WANTED = { operator: 'the adminToken', token: 'a token, or the adminToken and an appId' };

/** A value as one segment of a path. URLs drop `.` and `..`, however they are written, so these would address something else. */
function segment(name: string, value: string | number | undefined): string {
  const text = Number.isFinite(value) ? String(value) : value;
  if (typeof text !== 'string' || text === '' || text === '.' || text === '..') {
    throw new TypeError(`${name} must be text that can stand in a path, not ${JSON.stringify(value)}`);
  }
  return encodeURIComponent(text);
}

function queryOf(query: object = {}): string {
  const words = new URLSearchParams();
  for (const [name, value] of Object.entries(query) as [
    string,
    string | number | boolean | Date | null | undefined,
  ][]) {
    if (value === undefined || value === null) continue;
    words.set(name, value instanceof Date ? value.toISOString() : String(value));
  }
  return words.toString();
}
