import type { JsonObject } from '../json';
import { proofOf } from '../registration/installation-state';
import type { Registrar, RegisteredState } from '../registration/registrar';
import type { RestApi } from '../rest/rest-api';

/** One value of an attribute. */
export type AttributeScalar = string | number | boolean;

/** What an attribute can be. */
export type AttributeValue = AttributeScalar | AttributeScalar[] | Date;

/** The attributes of the device's user: they hold on all their devices, segments and templates see them. */
export class Attributes {
  constructor(
    private readonly api: RestApi,
    private readonly registrar: Registrar,
  ) {}

  /** @returns all attributes, as every method here @throws PostriderError */
  set(attributes: Record<string, AttributeValue>): Promise<JsonObject> {
    const data: JsonObject = {};
    const keys: JsonObject = {};
    for (const [name, value] of Object.entries(attributes)) {
      data[name] = value instanceof Date ? value.getTime() : value;
      if (value instanceof Date) keys[name] = { type: 'date' };
    }
    return this.#change(data, keys);
  }

  /** Removes attributes. @returns all attributes that are left */
  unset(...names: string[]): Promise<JsonObject> {
    return this.#change({}, Object.fromEntries(names.map((name) => [name, { operation: 'unset' }])));
  }

  /** Adds to numbers; what is none counts as 0. Not safe to repeat when the answer was lost. */
  increment(amounts: Record<string, number>): Promise<JsonObject> {
    const attributes = Object.entries(amounts).map(([attribute, value]) => ({ attribute, value }));
    return this.registrar.with((state) =>
      this.api.call<JsonObject>('POST', 'installations/incrementAttribute', {
        body: { installationId: state.installationId, attributes },
        headers: proofOf(state),
      }),
    );
  }

  /** Adds values to an array, each once. */
  addToArray(name: string, ...values: AttributeScalar[]): Promise<JsonObject> {
    return this.#change({}, { [name]: { type: 'array', operation: 'addToArray', value: values } });
  }

  /** Removes values from an array. @returns all attributes */
  removeFromArray(name: string, ...values: AttributeScalar[]): Promise<JsonObject> {
    return this.#change({}, { [name]: { type: 'array', operation: 'removeFromArray', value: values } });
  }

  #change(data: JsonObject, keys: JsonObject): Promise<JsonObject> {
    return this.registrar.with((state) =>
      this.api.call<JsonObject>('PUT', 'installations/userInfo', {
        body: { installationId: state.installationId, data, __meta: { keys } },
        headers: proofOf(state),
      }),
    );
  }
}

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

const CHANNEL = /^(?:public|private)\/[A-Za-z0-9_.-]{1,128}$/;

/** The channels that this device is a member of, beside its own and everybody's. */
export class Channels {
  constructor(private readonly registrar: Registrar) {}

  /** @param channels `public/<name>` or `private/<name>`; a bare name is a public one @throws PostriderError, TypeError */
  subscribe(...channels: string[]): Promise<string[]> {
    return this.#change(channels, (now, named) => [...new Set([...now, ...named])]);
  }

  /** @throws PostriderError, TypeError */
  unsubscribe(...channels: string[]): Promise<string[]> {
    return this.#change(channels, (now, named) => now.filter((channel) => !named.includes(channel)));
  }

  /** As the service told them last. */
  async list(): Promise<string[]> {
    return (await this.registrar.registered()).channels;
  }

  async #change(
    channels: readonly string[],
    change: (now: string[], named: readonly string[]) => string[],
  ): Promise<string[]> {
    const named = channels.map(canonical);
    const installation = await this.registrar.register({}, (now) => change(now, named));
    return installation.subscriptions;
  }
}

function canonical(text: string): string {
  const channel = text.includes('/') ? text.replace(/^\//, '') : `public/${text}`;
  if (CHANNEL.test(channel)) return channel;
  throw new TypeError(
    `${text} is not a channel name: 1 to 128 letters, digits, _, - or ., optionally after public/ or private/`,
  );
}
