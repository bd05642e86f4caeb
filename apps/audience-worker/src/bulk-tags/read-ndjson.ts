import { isUtf8 } from 'node:buffer';
import { MOST_TAGS } from '@postrider/contracts';
import { normaliseName } from '@postrider/domain';
import type { TagOperation } from '@postrider/persistence';
import type { RawRecord, TagLine } from './tag-line';

const KEYS = ['userId', 'tags', 'remove', 'values'];

/** Why a line is refused. */
class BadLine extends Error {}

/** Reads one line of an NDJSON file: `{ "userId", "tags": […], "remove": […], "values": { tag: value } }`. */
export function readNdjson({ line, bytes, problem }: RawRecord, operation: TagOperation): TagLine | null {
  if (problem !== null || bytes === null) return { line, problem: problem ?? 'cannot be read' };
  if (bytes.length === 0) return null;
  try {
    if (!isUtf8(bytes)) throw new BadLine('is not UTF-8');
    return readObject(line, parseObject(bytes.toString('utf8')), operation);
  } catch (error) {
    if (error instanceof BadLine) return { line, problem: error.message };
    throw error;
  }
}

function parseObject(text: string): Record<string, unknown> {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    throw new BadLine('is not JSON');
  }
  if (typeof value !== 'object' || value === null || Array.isArray(value)) throw new BadLine('must be a JSON object');
  const unknown = Object.keys(value).some((key) => !KEYS.includes(key));
  if (unknown) throw new BadLine(`knows ${KEYS.join(', ')} only`);
  return value as Record<string, unknown>;
}

function readObject(line: number, object: Record<string, unknown>, operation: TagOperation): TagLine {
  const userId = nameOf(object.userId, 'userId');
  const tags = namesOf(object.tags, 'tags');
  const removed = namesOf(object.remove, 'remove');
  const values = valuesOf(object.values);
  if (tags.length + removed.length + values.length === 0) throw new BadLine('names no tag');
  if (operation === 'remove') return { line, userId, edit: { removed: [...removed, ...tags], added: [] } };
  return { line, userId, edit: { removed, added: [...tags.map((tag) => ({ tag, value: null })), ...values] } };
}

function namesOf(value: unknown, field: string): string[] {
  if (value === undefined || value === null) return [];
  if (!Array.isArray(value) || value.length > MOST_TAGS)
    throw new BadLine(`${field} must be an array of at most ${MOST_TAGS} tags`);
  return value.map((name) => nameOf(name, field));
}

function valuesOf(value: unknown): { tag: string; value: string }[] {
  if (value === undefined || value === null) return [];
  if (typeof value !== 'object' || Array.isArray(value)) throw new BadLine('values must be an object');
  const entries = Object.entries(value);
  if (entries.length > MOST_TAGS) throw new BadLine(`values must name at most ${MOST_TAGS} tags`);
  return entries.map(([tag, text]) => ({ tag: nameOf(tag, 'values'), value: nameOf(text, 'values') }));
}

function nameOf(value: unknown, field: string): string {
  const name = typeof value === 'string' ? normaliseName(value) : null;
  if (name === null) throw new BadLine(`${field} must be text of 1 to 255 characters`);
  return name;
}
