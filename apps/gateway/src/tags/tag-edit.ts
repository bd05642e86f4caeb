import { MOST_TAGS } from '@postrider/contracts';
import type { UserTags } from '@postrider/persistence';

/** One change of a user's tags. */
export type TagEdit =
  | { kind: 'add'; tags: readonly string[]; values: Readonly<Record<string, string>> }
  | { kind: 'remove'; tags: readonly string[] };

/** The result of an edit: the user's devices count, they do not count, or the user would have too many tags. */
export type TagEditResult = 'counts' | 'counts nobody' | 'too many';

/** Tags after consecutive edits, and the result of each edit. */
export interface EditedTags {
  now: UserTags;
  isChanged: boolean;
  results: TagEditResult[];
}

/**
 * Carries out edits of one user's tags one after the other. An edit that would give the user too many tags changes
 * nothing.
 */
export function applyTagEdits(before: UserTags, edits: readonly TagEdit[]): EditedTags {
  const edited: EditedTags = { now: before, isChanged: false, results: [] };
  for (const edit of edits) edited.results.push(edit.kind === 'add' ? add(edited, edit) : remove(edited, edit.tags));
  return edited;
}

function add(edited: EditedTags, { tags, values }: Extract<TagEdit, { kind: 'add' }>): TagEditResult {
  const { now } = edited;
  const all = new Set([...now.tags, ...tags]);
  if (all.size > MOST_TAGS) return 'too many';
  const valued = Object.entries(values);
  const isNew = all.size > now.tags.length || valued.some(([tag, value]) => valueOf(now, tag) !== value);
  if (isNew) {
    edited.now = {
      tags: [...all].sort(),
      tagValues: Object.fromEntries([...Object.entries(now.tagValues), ...valued]),
    };
    edited.isChanged = true;
  }
  return 'counts';
}

function remove(edited: EditedTags, tags: readonly string[]): TagEditResult {
  const { now } = edited;
  const gone = new Set(tags);
  if (!now.tags.some((tag) => gone.has(tag))) return 'counts nobody';
  const values = Object.entries(now.tagValues).filter(([tag]) => !gone.has(tag));
  edited.now = { tags: now.tags.filter((tag) => !gone.has(tag)), tagValues: Object.fromEntries(values) };
  edited.isChanged = true;
  return 'counts';
}

/** A tag may have the name of a property that every object has. */
function valueOf({ tagValues }: UserTags, tag: string): string | undefined {
  return Object.hasOwn(tagValues, tag) ? tagValues[tag] : undefined;
}
