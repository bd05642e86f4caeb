/** A refusal by the gateway during the start. */
export class ApiRefusal extends Error {
  constructor(
    readonly status: number,
    call: string,
    body: string,
  ) {
    super(`${call} answered ${status}: ${body}`);
  }
}

/** A few calls to the gateway with one token. */
export class Api {
  constructor(
    private readonly base: string,
    private readonly token: string,
  ) {}

  /** @throws ApiRefusal on any status but 2xx */
  async call<T>(
    method: string,
    path: string,
    body?: unknown,
    headers: Record<string, string> = {},
  ): Promise<{ body: T; headers: Headers }> {
    const answer = await fetch(`${this.base}${path}`, {
      method,
      headers: {
        authorization: `Bearer ${this.token}`,
        ...(body === undefined ? {} : { 'content-type': 'application/json' }),
        ...headers,
      },
      body: body === undefined ? undefined : JSON.stringify(body),
    });
    const text = await answer.text();
    if (!answer.ok) throw new ApiRefusal(answer.status, `${method} ${path}`, text);
    return { body: JSON.parse(text) as T, headers: answer.headers };
  }

  /** The answer's body, or null for 404. */
  async find<T>(path: string): Promise<T | null> {
    try {
      return (await this.call<T>('GET', path)).body;
    } catch (error) {
      if (error instanceof ApiRefusal && error.status === 404) return null;
      throw error;
    }
  }
}
