import type { JsonObject } from '../json';
import type { RegisteredState, Registrar } from '../registration/registrar';
import type { RestApi } from '../rest/rest-api';

/** The tags of the device's user. */
export class Tags {
  constructor(
    private readonly api: RestApi,
    private readonly registrar: Registrar,
  ) {}

  /** @throws PostriderError */
  async add(...tags: string[]): Promise<void> {
    await this.registrar.with((state) => this.#change('addTags', state, tags));
  }

  /** @throws PostriderError */
  async remove(...tags: string[]): Promise<void> {
    await this.registrar.with((state) => this.#change('removeTags', state, tags));
  }

  /** Of a tag with a value its key. @throws PostriderError */
  list(): Promise<string[]> {
    return this.registrar.with(({ userId }) =>
      this.api.call<string[]>('GET', `installations/tags/${encodeURIComponent(userId)}`),
    );
  }

  #change(path: string, { userId, userHash, installationId }: RegisteredState, tags: string[]): Promise<JsonObject> {
    const body = { userId, installationId, tags, ...(userHash === null ? {} : { userHash }) };
    return this.api.call<JsonObject>('POST', `installations/${path}`, { body });
  }
}
