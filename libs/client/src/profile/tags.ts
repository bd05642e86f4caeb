import type { JsonObject } from '../json';
import { proofOf } from '../registration/installation-state';
import type { Registrar, RegisteredState } from '../registration/registrar';
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

  /** Lists the user's tags; a tag with a value is listed by its key. @throws PostriderError */
  list(): Promise<string[]> {
    return this.registrar.with((state) =>
      this.api.call<string[]>('GET', `installations/tags/${encodeURIComponent(state.userId)}`, {
        headers: proofOf(state),
      }),
    );
  }

  #change(path: string, state: RegisteredState, tags: string[]): Promise<JsonObject> {
    const { userId, installationId } = state;
    const body = { userId, installationId, tags };
    return this.api.call<JsonObject>('POST', `installations/${path}`, { body, headers: proofOf(state) });
  }
}
