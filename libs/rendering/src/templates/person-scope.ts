import type { JsonObject } from '@postrider/domain';
import type { RenderScope } from './template-context';
import { WorkBudget } from './work-budget';

/** The facts about a device that its texts may use. Never its token. */
export interface DeviceFacts {
  installationId: string;
  deviceType: string | null;
  osVersion: string | null;
  clientVersion: string | null;
  locale: string | null;
  timeZone: string | null;
  /** Set for this device only. */
  attributes: JsonObject;
  /** Every registered field without a place of its own. */
  registration: JsonObject;
}

/** The person for whom a personal message is made. */
export interface PersonFacts {
  userId: string;
  /** The user's attributes. */
  attributes: JsonObject;
  tags: readonly string[];
  /** The values of the tags that have one. */
  tagValues: JsonObject;
  /** Null for a text that goes to no device (an SMS). */
  device: DeviceFacts | null;
  /** Null if they have none. */
  promoCode: string | null;
}

/** The variables of a message that are the same for everybody. */
export interface MessageFacts {
  /** The variable `message`. */
  message: JsonObject;
  /** The variable `variables`: the values of the send. */
  variables: JsonObject;
}

/** The variables that texts know. Other names never have a value. */
export const VARIABLE_ROOTS: ReadonlySet<string> = new Set([
  'user',
  'device',
  'tags',
  'message',
  'variables',
  'promoCode',
]);

/** Registration fields that grant access, even if a device registered other data under these names. */
const SECRETS = ['token', 'deviceToken', 'userHash'];
const LIST_INDEX = /^(?:0|[1-9]\d*)$/;

/** The variables of one message for one device. Values that no template uses are not made. */
export class PersonScope implements RenderScope {
  readonly budget = new WorkBudget();
  /** The variables that were used and have neither a value nor a default, if they are collected. */
  readonly missing: Set<string> | null;
  #environment: Record<string, unknown> | undefined;
  #device: JsonObject | undefined;
  #tags: string[] | undefined;

  constructor(
    private readonly person: PersonFacts,
    private readonly facts: MessageFacts,
    readonly now: Date,
    collectsMissing = false,
  ) {
    this.missing = collectsMissing ? new Set() : null;
  }

  get locale(): string | null {
    return this.person.device?.locale ?? null;
  }

  get timeZone(): string | null {
    return this.person.device?.timeZone ?? null;
  }

  get environment(): Record<string, unknown> {
    return (this.#environment ??= {
      user: { ...this.person.attributes, id: this.person.userId },
      device: this.#deviceFields(),
      tags: this.#tagList(),
      message: this.facts.message,
      variables: this.facts.variables,
      promoCode: this.person.promoCode,
    });
  }

  dotted(root: unknown, name: string): unknown {
    const { user, device } = this.environment;
    return root === user || root === device ? own(root, name) : undefined;
  }

  lookup(root: string, names: readonly string[], hasDefault: boolean): unknown {
    const value = this.#lookup(root, names);
    if (value === undefined && !hasDefault && this.missing !== null) this.missed([root, ...names]);
    return value;
  }

  missed(path: readonly string[]): void {
    // A missing tag is a valid answer.
    if (path[0] !== 'tags') this.missing?.add(path.join('.'));
  }

  #lookup(root: string, names: readonly string[]): unknown {
    // The one member that is not among the attributes. They are not copied to add it.
    if (root === 'user' && names.length === 1 && names[0] === 'id') return this.person.userId;
    const holder = this.#root(root);
    const mayHaveDots = names.length > 1 && (root === 'user' || root === 'device');
    const dotted = mayHaveDots ? own(holder, names.join('.')) : undefined;
    return dotted === undefined ? memberOf(holder, names) : dotted;
  }

  #root(name: string): unknown {
    switch (name) {
      case 'user':
        return this.person.attributes;
      case 'device':
        return this.#deviceFields();
      case 'tags':
        return this.#tagList();
      case 'message':
        return this.facts.message;
      case 'variables':
        return this.facts.variables;
      case 'promoCode':
        return this.person.promoCode;
      default:
        return undefined;
    }
  }

  #deviceFields(): JsonObject {
    const { device } = this.person;
    if (device === null) return {};
    if (this.#device === undefined) {
      const { attributes, registration, installationId: id, ...fields } = device;
      this.#device = { model: registration.deviceModel ?? null, ...registration, ...attributes, ...fields, id };
      for (const name of SECRETS) Reflect.deleteProperty(this.#device, name);
    }
    return this.#device;
  }

  /** A list that also finds each tag by its key: `tags.plan` is its value, or true for a tag without a value. */
  #tagList(): string[] {
    if (this.#tags === undefined) {
      const { tags, tagValues } = this.person;
      this.#tags = [...tags];
      const members: Record<string, unknown> = this.#tags as unknown as Record<string, unknown>;
      for (const key of tags) {
        // A tag must not replace a property of lists either.
        if (key in Array.prototype || LIST_INDEX.test(key)) continue;
        members[key] = own(tagValues, key) ?? true;
      }
    }
    return this.#tags;
  }
}

function memberOf(object: unknown, names: readonly string[]): unknown {
  let value = object;
  for (const name of names) {
    if (value === null || value === undefined) return value;
    value = own(value, name);
  }
  return value;
}

function own(object: unknown, name: string): unknown {
  return Object.hasOwn(Object(object) as object, name) ? (object as Record<string, unknown>)[name] : undefined;
}
