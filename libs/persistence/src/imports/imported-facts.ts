import type { JsonObject, JsonValue } from '@postrider/domain';
import type { UserTags } from '../tags/tags-of-many-users';
import { attributesProblem } from '../users/users.repository';

/** The facts about a user in one line of a file. */
export interface ImportedFacts extends UserTags {
  line: number;
  attributes: JsonObject;
  /** When these facts were true; null: unknown. */
  at: Date | null;
}

/** The tags and attributes of a user. */
export interface CarriedFacts extends UserTags {
  attributes: JsonObject;
}

/**
 * The tags and attributes that a user had before imports changed them. Only lines with a time later than `at` may
 * change these.
 */
export interface ImportBase {
  at: Date;
  tags: readonly string[];
  attributes: readonly string[];
}

/** A line of which a part was refused, and why. */
export interface RefusedFacts {
  line: number;
  message: string;
}

/**
 * Adds the facts of lines to a user, one line after the other, so that it makes no difference where a file is divided:
 * the later of two lines wins. The facts in `base` stay, unless the time of the line is later. Tags are added and never
 * removed. If the tags or the attributes of a line would be too many, they are refused.
 * @param base null if an import made the user: every line may change everything
 * @returns the facts of the user afterwards; null if they are the same as before, also where a later line has undone
 *   what an earlier one changed (`isUndone`)
 */
export function withFacts(
  before: CarriedFacts,
  base: ImportBase | null,
  { lines, mostTags }: { lines: readonly ImportedFacts[]; mostTags: number },
): { after: CarriedFacts | null; isUndone: boolean; refused: RefusedFacts[] } {
  const carried = new Carried(before, base);
  const refused = lines.flatMap(({ line, at, ...said }): RefusedFacts[] => {
    const isNewer = base === null || (at !== null && at > base.at);
    const problems = [carried.addTags(said, isNewer, mostTags), carried.addAttributes(said.attributes, isNewer)];
    return problems.flatMap((message) => (message === null ? [] : [{ line, message }]));
  });
  const after = carried.news;
  return { after, isUndone: after === null && carried.hasChanged, refused };
}

const NONE: ReadonlySet<string> = new Set();

/** The facts of a user, while lines add to them. */
class Carried {
  /** True if a line has changed a fact. */
  hasChanged = false;
  readonly #tags: Map<string, string | undefined>;
  readonly #fixedTags: ReadonlySet<string>;
  readonly #fixedAttributes: ReadonlySet<string>;
  #attributes: JsonObject;

  constructor(
    private readonly before: CarriedFacts,
    base: ImportBase | null,
  ) {
    this.#tags = new Map(before.tags.map((tag) => [tag, own(before.tagValues, tag)]));
    this.#attributes = before.attributes;
    this.#fixedTags = base === null ? NONE : new Set(base.tags);
    this.#fixedAttributes = base === null ? NONE : new Set(base.attributes);
  }

  /** @returns why the tags are refused; null: they are not */
  addTags({ tags, tagValues }: UserTags, isNewer: boolean, mostTags: number): string | null {
    const added = tags.reduce((count, tag) => count + (this.#tags.has(tag) ? 0 : 1), 0);
    if (added > 0 && this.#tags.size + added > mostTags) return `tags would be more than ${mostTags} of the user`;
    for (const tag of tags) {
      if (!isNewer && this.#fixedTags.has(tag)) continue;
      const value = own(tagValues, tag);
      this.hasChanged ||= !this.#tags.has(tag) || this.#tags.get(tag) !== value;
      this.#tags.set(tag, value);
    }
    return null;
  }

  /** @returns why the attributes are refused; null: they are not */
  addAttributes(said: JsonObject, isNewer: boolean): string | null {
    const news = Object.entries(said).filter(
      ([name, value]) => (isNewer || !this.#fixedAttributes.has(name)) && !isSame(own(this.#attributes, name), value),
    );
    if (news.length === 0) return null;
    const changed = { ...this.#attributes, ...Object.fromEntries(news) };
    const problem = attributesProblem(changed);
    if (problem !== null) return `attributes ${problem}`;
    this.#attributes = changed;
    this.hasChanged = true;
    return null;
  }

  /**
   * The facts of the user now; null if they are the same as before: a later line may have undone the change of an
   * earlier one.
   */
  get news(): CarriedFacts | null {
    const { tags, tagValues, attributes } = this.before;
    const isKept =
      this.#tags.size === tags.length &&
      tags.every((tag) => this.#tags.get(tag) === own(tagValues, tag)) &&
      isSame(this.#attributes, attributes);
    return isKept ? null : { ...tagsOf(this.#tags), attributes: this.#attributes };
  }
}

function tagsOf(tags: ReadonlyMap<string, string | undefined>): UserTags {
  const valued = [...tags].filter((entry): entry is [string, string] => entry[1] !== undefined);
  return { tags: [...tags.keys()].sort(), tagValues: Object.fromEntries(valued) };
}

/** Returns a member that is not inherited: tags and attributes may be called `constructor`. */
function own<T>(members: Readonly<Record<string, T>>, name: string): T | undefined {
  return Object.hasOwn(members, name) ? members[name] : undefined;
}

function isSame(one: JsonValue | undefined, other: JsonValue): boolean {
  return one === other || JSON.stringify(one) === JSON.stringify(other);
}
