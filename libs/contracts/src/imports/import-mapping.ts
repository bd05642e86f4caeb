import { isJsonObject, type JsonObject, type JsonValue } from '@postrider/domain';
import { FORBIDDEN_KEYS, inspectJson } from '../validation/parse-json-body';
import type { ListReading } from '../validation/reading';
import {
  apnsToken,
  type ImportDraft,
  isFalse,
  isTrue,
  jsonOf,
  placeOf,
  referredId,
  type SourceRecord,
  textOf,
} from './import-draft';

/** The source of a field: a column (by its name, or its number from 1), or a value that is the same for all. */
type Source = { column: string } | { value: JsonValue };

/** The sources of the fields of devices, by the field's name. */
export type ImportMapping = Readonly<Record<string, Source>>;

const MOST_FIELDS = 200;
const LISTS = new Set(['subscriptions', 'channels']);

/** Reads a mapping: the JSON text of `{ <field>: <column> | { "value": … } }`. It has the rules of a body. */
export function readMapping(sent: unknown): ListReading<ImportMapping> {
  const mapping = typeof sent === 'string' ? parsed(sent) : null;
  if (!isJsonObject(mapping)) return { problem: 'must be a JSON object of fields and their columns' };
  const { details } = inspectJson(mapping, sent as string);
  if (details.length > 0) return { problems: details.map(({ path, message }) => ({ path: `.${path}`, message })) };
  const fields = Object.entries(mapping);
  if (fields.length > MOST_FIELDS) return { problem: `must name at most ${MOST_FIELDS} fields` };
  const problems: { path: string; message: string }[] = [];
  const read = fields.map(([field, source]): [string, Source] => {
    const found = sourceOf(source);
    if (found !== null && isField(field)) return [field, found];
    const message = found === null ? 'must be a column, or { "value": … }' : 'is not a field that can be imported';
    problems.push({ path: `.${field}`, message });
    return [field, { value: null }];
  });
  return problems.length > 0 ? { problems } : { value: Object.fromEntries(read) };
}

/** Applies a mapping to what the format read. The mapping overrides the format. */
export function applyMapping(draft: ImportDraft, mapping: ImportMapping, record: SourceRecord): ImportDraft {
  const mapped: ImportDraft & { tags: Record<string, string> } = {
    ...draft,
    fields: { ...draft.fields },
    tags: { ...draft.tags },
    attributes: { ...draft.attributes },
  };
  for (const [field, source] of Object.entries(mapping)) {
    const value = 'value' in source ? source.value : valueAt(record, source.column);
    if (value !== undefined && value !== null && value !== '') place(mapped, field, value as JsonValue);
  }
  normaliseToken(mapped.fields);
  return mapped;
}

function place(draft: ImportDraft & { tags: Record<string, string> }, field: string, value: JsonValue): void {
  const [, kind, name = ''] = /^(tags|attributes)\.(.+)$/s.exec(field) ?? [];
  if (kind === 'tags') addTag(draft.tags, name, value);
  else if (kind === 'attributes') draft.attributes[name] = value;
  else if (field === 'userId') draft.userId = referredId(value);
  else setField(draft.fields, field, value);
}

function normaliseToken(fields: JsonObject): void {
  const { deviceToken, pushType, deviceType } = fields;
  const isApns = pushType === 'apns' || (pushType === undefined && deviceType === 'ios');
  if (isApns && typeof deviceToken === 'string') fields.deviceToken = apnsToken(deviceToken);
}

/** The columns that a mapping names. */
export function columnsOf(mapping: ImportMapping): string[] {
  return Object.values(mapping).flatMap((source) => ('column' in source ? [source.column] : []));
}

/** A member by its name, or by a path of names. */
export function valueAt(record: SourceRecord, column: string): unknown {
  if (Object.hasOwn(record, column)) return record[column];
  let value: unknown = record;
  for (const name of column.split('.')) {
    if (typeof value !== 'object' || value === null || !Object.hasOwn(value, name)) return undefined;
    value = (value as Record<string, unknown>)[name];
  }
  return value;
}

/** `true` is a tag without a value, `false` is no tag, and anything else is its value. */
function addTag(tags: Record<string, string>, key: string, value: unknown): void {
  const text = textOf(value);
  if (text === null || isFalse(text)) return;
  tags[key] = isTrue(text) ? '' : text;
}

function setField(fields: JsonObject, field: string, value: JsonValue): void {
  const [name = '', part] = field.split('.');
  if (part !== undefined) {
    const before = fields[name];
    fields[name] = { ...(isJsonObject(before) ? before : {}), [part]: value };
  } else if (LISTS.has(field)) fields.subscriptions = listOf(value);
  else if (field === 'location') fields.location = typeof value === 'string' ? (placeOf(value) ?? value) : value;
  else if (field === 'pushType' && typeof value === 'string') fields.pushType = value.trim().toLowerCase();
  else fields[field] = value;
}

/** Channels in one cell: a JSON array, or names with `,`, `;` or `|` between them, which no name contains. */
function listOf(value: JsonValue): JsonValue[] {
  const list = jsonOf(value);
  if (Array.isArray(list)) return list;
  return String(textOf(value))
    .split(/[,;|]/)
    .map((name) => name.trim())
    .filter((name) => name !== '');
}

/** A field of a registration, `location.lat`, `tags.<key>` or `attributes.<name>`. */
function isField(field: string): boolean {
  const [, name] = /^(?:tags|attributes)\.(.+)$/s.exec(field) ?? [];
  if (name !== undefined) return !FORBIDDEN_KEYS.has(name);
  if (/^location\.(?:lat|lng)$/.test(field)) return true;
  return /^[A-Za-z]\w{0,63}$/.test(field) && !['appId', 'id', 'userHash', 'constructor', 'prototype'].includes(field);
}

function sourceOf(source: unknown): Source | null {
  if (typeof source === 'string' && source !== '') return { column: source };
  if (typeof source === 'number' && Number.isInteger(source) && source > 0) return { column: String(source) };
  return isJsonObject(source) && Object.hasOwn(source, 'value') ? { value: source.value ?? null } : null;
}

function parsed(sent: string): unknown {
  try {
    return JSON.parse(sent);
  } catch {
    return null;
  }
}
