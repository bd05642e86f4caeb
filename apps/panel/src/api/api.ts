import { type Answer, queryString, type Query, request, type RequestOptions } from './request';

/** Calls of one application's API, or of the operator's. Paths have no leading slash: `push/messages`. */
export class Api {
  constructor(private readonly base: string) {}

  /** The API of one application: `/apps/<id>/api/…`. */
  static ofApplication(appId: string): Api {
    return new Api(`/apps/${encodeURIComponent(appId)}/api/`);
  }

  /** The operator's own: `/api/admin/…`. */
  static ofOperator(): Api {
    return new Api('/api/admin/');
  }

  /** @throws ApiError */
  async get<T>(path: string, query?: Query, signal?: AbortSignal): Promise<T> {
    return (await request<T>('GET', this.base + path, { query, signal })).body;
  }

  /** @throws ApiError */
  async post<T>(path: string, body?: unknown, options?: RequestOptions): Promise<T> {
    return (await this.call<T>('POST', path, { body, ...options })).body;
  }

  /** @throws ApiError */
  async put<T>(path: string, body?: unknown): Promise<T> {
    return (await this.call<T>('PUT', path, { body })).body;
  }

  /** @throws ApiError */
  async patch<T>(path: string, body?: unknown): Promise<T> {
    return (await this.call<T>('PATCH', path, { body })).body;
  }

  /** @throws ApiError */
  async delete<T>(path: string, body?: unknown): Promise<T> {
    return (await this.call<T>('DELETE', path, { body })).body;
  }

  /** The same with the answer's headers (`X-Message-Id`). @throws ApiError */
  call<T>(method: string, path: string, options?: RequestOptions): Promise<Answer<T>> {
    return request<T>(method, this.base + path, options);
  }

  /** The address of a download, for a plain link. */
  url(path: string, query?: Query): string {
    return `${this.base}${path}${queryString(query)}`;
  }
}
