import { MOST_TAGS } from '@postrider/contracts';
import type { UserTags } from '@postrider/persistence';

/** One change of a user's tags. */
export type TagEdit =
  | { kind: 'add'; tags: readonly string[]; values: Readonly<Record<string, string>> }
  | { kind: 'remove'; tags: readonly string[] };

/**
 * The result of an edit: the devices of the user are counted; they are not, because the user had none of the tags to be
 * removed; or nothing changed, because the user would have too many.
 */
type TagEditResult = 'counted' | 'not_counted' | 'too_many';

/** Tags after consecutive edits, and the result of each edit. */
interface EditedTags {
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
  if (all.size > MOST_TAGS) return 'too_many';
  const valued = Object.entries(values);
  const isNew = all.size > now.tags.length || valued.some(([tag, value]) => valueOf(now, tag) !== value);
  if (isNew) {
    edited.now = {
      tags: [...all].sort(),
      tagValues: Object.fromEntries([...Object.entries(now.tagValues), ...valued]),
    };
    edited.isChanged = true;
  }
  return 'counted';
}

function remove(edited: EditedTags, tags: readonly string[]): TagEditResult {
  const { now } = edited;
  const gone = new Set(tags);
  if (!now.tags.some((tag) => gone.has(tag))) return 'not_counted';
  const values = Object.entries(now.tagValues).filter(([tag]) => !gone.has(tag));
  edited.now = { tags: now.tags.filter((tag) => !gone.has(tag)), tagValues: Object.fromEntries(values) };
  edited.isChanged = true;
  return 'counted';
}

/** A tag may have the name of a property that every object has. */
function valueOf({ tagValues }: UserTags, tag: string): string | undefined {
  return Object.hasOwn(tagValues, tag) ? tagValues[tag] : undefined;
}
