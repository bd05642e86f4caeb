import type { ErrorDetail, JsonObject } from '@postrider/domain';

/** The most unknown fields of a message, in all its objects. */
const MOST_UNKNOWN_FIELDS = 100;
/** How many bytes of JSON they take together. */
export const MOST_UNKNOWN_BYTES = 16_384;

/**
 * Collects the unknown fields of one message: they are stored and passed on unread, at a cost for every process that
 * handles them.
 */
export class UnknownFields {
  /** At most one: the limit is reported once per message. */
  readonly problems: ErrorDetail[] = [];
  #fields = 0;
  #bytes = 0;

  /**
   * The fields of one object of the message that `isKnown` does not know, unchanged, without null ones.
   *
   * @param path the place of the object in the request
   */
  of(object: JsonObject, isKnown: (name: string) => boolean, path: string): JsonObject | undefined {
    let unknown: JsonObject | undefined;
    for (const name of Object.keys(object)) {
      const value = object[name] ?? undefined;
      if (isKnown(name) || value === undefined) continue;
      if (this.problems.length > 0) break;
      const problem = this.#problemWith(name, JSON.stringify(value));
      if (problem === null) (unknown ??= {})[name] = value;
      else this.problems.push({ path: path === '' ? name : `${path}.${name}`, message: problem });
    }
    return unknown;
  }

  #problemWith(name: string, json: string): string | null {
    this.#fields += 1;
    if (this.#fields > MOST_UNKNOWN_FIELDS) {
      return `is one unknown field too many: a message has at most ${MOST_UNKNOWN_FIELDS}`;
    }
    this.#bytes += Buffer.byteLength(name) + Buffer.byteLength(json);
    if (this.#bytes <= MOST_UNKNOWN_BYTES) return null;
    return `is unknown, and too big: the unknown fields of a message have at most ${MOST_UNKNOWN_BYTES} bytes`;
  }
}
