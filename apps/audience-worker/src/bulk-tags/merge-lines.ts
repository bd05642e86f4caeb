import type { UserTagEdit } from '@postrider/persistence';
import type { LineEdit, TagLine } from './tag-line';

/** What a stretch of a file does to one user, and the lines that say so. */
export interface MergedEdit extends UserTagEdit {
  lines: number[];
}

/** What lines come to when each is carried out after the one before: one edit a user, in the order of the ids. */
export function mergeLines(lines: readonly TagLine[]): MergedEdit[] {
  const byUser = new Map<string, { line: number[]; edit: Merged }>();
  for (const line of lines) {
    if ('problem' in line) continue;
    let user = byUser.get(line.userId);
    if (!user) byUser.set(line.userId, (user = { line: [], edit: new Merged() }));
    user.line.push(line.line);
    user.edit.follow(line.edit);
  }
  return [...byUser]
    .sort(([one], [other]) => (one < other ? -1 : 1))
    .map(([userId, { line, edit }]) => ({ userId, ...edit.result(), lines: line }));
}

/** Edits of one user, one after the other, as the one edit that comes to the same. */
class Merged {
  readonly #removed = new Set<string>();
  readonly #added = new Map<string, string | null>();

  follow({ removed, added }: LineEdit): void {
    for (const tag of removed) {
      this.#removed.add(tag);
      this.#added.delete(tag);
    }
    for (const { tag, value } of added) this.#added.set(tag, value ?? this.#added.get(tag) ?? null);
  }

  result(): Omit<UserTagEdit, 'userId'> {
    const values = [...this.#added].flatMap(([tag, value]) => (value === null ? [] : [[tag, value] as const]));
    return { removed: [...this.#removed], added: [...this.#added.keys()], values: Object.fromEntries(values) };
  }
}
