import type { MessageDraft } from '../../model/message-draft';
import type { Compose } from './compose-context';

/**
 * Gives a part of the compose page what is shared, and remembers what the part has read of it: as long as none of that changes, the part
 * gets the same object. What it reads of that object is always the latest, in an event handler too.
 */
export class ComposeReader {
  readonly #fields = new Set<PropertyKey>();
  readonly #others = new Set<keyof Compose>();
  readonly #problems = new Set<string>();
  readonly #marks = new Set<string>();
  /** True if the part has read a draft as a whole. */
  #readsAll = false;
  #latest: Compose;
  #given: Compose;

  /** @param compose what is shared at first */
  constructor(compose: Compose) {
    this.#latest = compose;
    this.#given = this.#watched();
  }

  /** @returns what the part gets of what is shared now */
  of(next: Compose): Compose {
    const isOther = this.#isOther(next);
    this.#latest = next;
    if (isOther) this.#given = this.#watched();
    return this.#given;
  }

  #isOther(next: Compose): boolean {
    const former = this.#latest;
    if (next === former) return false;
    return (
      this.#isOtherDraft(former.draft, next.draft) ||
      [...this.#others].some((key) => !isSame(former[key], next[key])) ||
      [...this.#problems].some((field) => former.problemAt(field) !== next.problemAt(field)) ||
      [...this.#marks].some((prefix) => former.isMarked(prefix) !== next.isMarked(prefix))
    );
  }

  #isOtherDraft(former: MessageDraft, next: MessageDraft): boolean {
    if (former === next) return false;
    return this.#readsAll || [...this.#fields].some((field) => Reflect.get(former, field) !== Reflect.get(next, field));
  }

  #watched(): Compose {
    const own: Partial<Compose> = {
      draft: this.#watchedDraft(),
      problemAt: (field) => {
        this.#problems.add(field);
        return this.#latest.problemAt(field);
      },
      isMarked: (prefix) => {
        this.#marks.add(prefix);
        return this.#latest.isMarked(prefix);
      },
    };
    return new Proxy(this.#latest, {
      get: (_, key: keyof Compose) => {
        if (key in own) return own[key];
        this.#others.add(key);
        return this.#latest[key];
      },
    });
  }

  #watchedDraft(): MessageDraft {
    return new Proxy({} as MessageDraft, {
      get: (_, field) => {
        this.#fields.add(field);
        return Reflect.get(this.#latest.draft, field) as unknown;
      },
      has: (_, field) => {
        this.#fields.add(field);
        return field in this.#latest.draft;
      },
      ownKeys: () => {
        this.#readsAll = true;
        return Reflect.ownKeys(this.#latest.draft);
      },
      getOwnPropertyDescriptor: (_, field) => Object.getOwnPropertyDescriptor(this.#latest.draft, field),
    });
  }
}

/** Problems are found anew with each letter, and are mostly those from before. */
function isSame(former: unknown, next: unknown): boolean {
  if (former === next) return true;
  if (!isRecord(former) || !isRecord(next)) return false;
  const keys = Object.keys(former);
  return keys.length === Object.keys(next).length && keys.every((key) => former[key] === next[key]);
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null;
}
