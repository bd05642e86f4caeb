import type { JsonObject } from '../json';
import { proofOf } from '../registration/installation-state';
import type { Registrar } from '../registration/registrar';
import type { RestApi } from '../rest/rest-api';

/** One value of an attribute. */
export type AttributeScalar = string | number | boolean;

/** The possible values of an attribute. */
export type AttributeValue = AttributeScalar | AttributeScalar[] | Date;

/** The attributes of the device's user: they hold on all their devices, segments and templates see them. */
export class Attributes {
  constructor(
    private readonly api: RestApi,
    private readonly registrar: Registrar,
  ) {}

  /**
   * @returns all attributes, as every method here @throws PostriderError
   * @throws TypeError for a number or a date that JSON cannot hold: it would be sent as null, which removes the attribute
   */
  async set(attributes: Record<string, AttributeValue>): Promise<JsonObject> {
    const data: JsonObject = {};
    const keys: JsonObject = {};
    for (const [name, value] of Object.entries(attributes)) {
      if (![value].flat().every(isSendable)) throw new TypeError(`${name} must be a finite number or a valid date`);
      data[name] = value instanceof Date ? value.getTime() : value;
      if (value instanceof Date) keys[name] = { type: 'date' };
    }
    return this.#change(data, keys);
  }

  /** Removes attributes. @returns all attributes that are left */
  unset(...names: string[]): Promise<JsonObject> {
    return this.#change({}, Object.fromEntries(names.map((name) => [name, { operation: 'unset' }])));
  }

  /** Adds to numbers; a value that is not a number counts as 0. Not safe to repeat if the answer was lost. */
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

function isSendable(value: AttributeScalar | Date): boolean {
  const number = value instanceof Date ? value.getTime() : value;
  return typeof number !== 'number' || Number.isFinite(number);
}
