import type { JsonObject, JsonValue } from '@postrider/domain';
import type { UserTags } from '../tags/tags-of-many-users';
import { attributesProblem } from '../users/users.repository';

/** What one line of a file says of a user. */
export interface ImportedFacts extends UserTags {
  line: number;
  attributes: JsonObject;
  /** When this was true; null: nobody says. */
  at: Date | null;
}

/** What a user carries. */
export interface CarriedFacts extends UserTags {
  attributes: JsonObject;
}

/** What a user had before imports changed them: what is in it gives way only to lines that know of a later time than `at`. */
export interface ImportBase {
  at: Date;
  tags: readonly string[];
  attributes: readonly string[];
}

/** A line of which not everything was taken, and why. */
export interface RefusedFacts {
  line: number;
  message: string;
}

/**
 * Adds to a user what lines of a file say, one after the other, so that it makes no difference where the work on a file is divided: of
 * two lines the later one wins. What stands in `base` stays, unless the line knows of a later time. Tags are added and never taken away;
 * the tags or the attributes of a line that would be too many are refused.
 *
 * @param base null: an import made the user, every line may write
 * @returns what the user carries then; null: what they carried before
 */
export function withFacts(
  before: CarriedFacts,
  base: ImportBase | null,
  { lines, mostTags }: { lines: readonly ImportedFacts[]; mostTags: number },
): { after: CarriedFacts | null; refused: RefusedFacts[] } {
  const carried = new Carried(before, base);
  const refused = lines.flatMap(({ line, at, ...said }): RefusedFacts[] => {
    const isNewer = base === null || (at !== null && at > base.at);
    const problems = [carried.addTags(said, isNewer, mostTags), carried.addAttributes(said.attributes, isNewer)];
    return problems.flatMap((message) => (message === null ? [] : [{ line, message }]));
  });
  return { after: carried.news, refused };
}

const NONE: ReadonlySet<string> = new Set();

/** What a user carries, while lines add to it. */
class Carried {
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

  /** @returns why none is taken; null: they are */
  addTags({ tags, tagValues }: UserTags, isNewer: boolean, mostTags: number): string | null {
    const added = tags.reduce((count, tag) => count + (this.#tags.has(tag) ? 0 : 1), 0);
    if (added > 0 && this.#tags.size + added > mostTags) return `tags would be more than ${mostTags} of the user`;
    for (const tag of tags) if (isNewer || !this.#fixedTags.has(tag)) this.#tags.set(tag, own(tagValues, tag));
    return null;
  }

  /** @returns why none is taken; null: they are */
  addAttributes(said: JsonObject, isNewer: boolean): string | null {
    const news = Object.entries(said).filter(
      ([name, value]) => (isNewer || !this.#fixedAttributes.has(name)) && !isSame(own(this.#attributes, name), value),
    );
    if (news.length === 0) return null;
    const changed = { ...this.#attributes, ...Object.fromEntries(news) };
    const problem = attributesProblem(changed);
    if (problem !== null) return `attributes ${problem}`;
    this.#attributes = changed;
    return null;
  }

  /** What the user carries now; null: what they carried before. What one line changed a later one may have changed back. */
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

/** Tags and attributes may be called `constructor`. */
function own<T>(members: Readonly<Record<string, T>>, name: string): T | undefined {
  return Object.hasOwn(members, name) ? members[name] : undefined;
}

function isSame(one: JsonValue | undefined, other: JsonValue): boolean {
  return one === other || JSON.stringify(one) === JSON.stringify(other);
}
