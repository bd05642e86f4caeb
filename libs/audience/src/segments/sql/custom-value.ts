import type { SqlParameters } from '../../sql/sql-parameters';
import { castToMoment, momentOf } from './moment-sql';

/** Registration fields that have a column of their own and are no built-in field. */
const COLUMNS = new Map([
  ['userId', 'i.user_id'],
  ['pushType', 'i.push_type'],
  ['tokenStatus', 'i.token_status'],
  ['timeZone', 'i.time_zone'],
  ['locale', 'i.locale'],
  ['realtime', 'i.realtime'],
  ['protected', 'i.protected'],
]);

/** A custom field's value in SQL: as jsonb and, where JSON null is NULL, as text. */
export interface CustomValue {
  json: string;
  text: string;
  /** SQL of the field's name, and of the registration field as text. */
  key: string;
  registered: string;
  /** Where several rules ask about the field: what its text was read as. */
  read?: ReadMoments;
}

/** A text that was read once a row. */
export interface ReadMoments {
  /** SQL of its moment, NULL for any other text. */
  moment(): string;
  /** SQL of an array: the moments that an array holds, or the one of a text. */
  moments(): string;
}

/**
 * SQL of a custom field: the device's attribute goes before its user's, and that before the registration field (decisions,
 * Segment rules).
 */
export function customValue(name: string, parameters: SqlParameters): CustomValue {
  const key = `${parameters.add(name)}::text`;
  const column = COLUMNS.get(name);
  const registered = column
    ? { json: `to_jsonb(${column})`, text: `${column}::text` }
    : { json: `i.registration -> ${key}`, text: `i.registration ->> ${key}` };
  return {
    json: `coalesce(nullif(i.attributes -> ${key}, 'null'), nullif(u.attributes -> ${key}, 'null'), ${registered.json})`,
    text: `coalesce(i.attributes ->> ${key}, u.attributes ->> ${key}, ${registered.text})`,
    key,
    registered: registered.text,
  };
}

/** SQL of the moment that a custom field's text names. The database has noted which attributes hold ISO 8601 text. */
export function momentOfCustom({ text, key }: CustomValue): string {
  const attribute = (alias: string): string => `WHEN ${alias}.attributes ->> ${key} IS NOT NULL
    THEN CASE WHEN ${alias}.moment_names ? ${key} THEN ${castToMoment(text)} END`;
  return `CASE ${attribute('i')} ${attribute('u')} ELSE ${momentOf(text)} END`;
}

/** SQL of an array of the moments that a custom field holds: those of an array's texts, or `moment`. */
export function momentsOfCustom({ json }: CustomValue, moment: string): string {
  return `CASE WHEN jsonb_typeof(${json}) = 'array'
    THEN ARRAY(SELECT ${momentOf('element.t')} FROM jsonb_array_elements_text(${json}) AS element (t))
    ELSE ARRAY[${moment}] END`;
}
