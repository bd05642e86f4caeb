import { type Parameter, parameter, sql, type Sql } from '@postrider/persistence';
import { castToMoment, momentOf } from './moment-sql';

/** Registration fields that have a column of their own and are not built-in fields. */
const COLUMNS = new Map([
  ['userId', sql`i.user_id`],
  ['pushType', sql`i.push_type`],
  ['tokenStatus', sql`i.token_status`],
  ['timeZone', sql`i.time_zone`],
  ['locale', sql`i.locale`],
  ['realtime', sql`i.realtime`],
  ['protected', sql`i.protected`],
]);

/** A custom field's value in SQL: as jsonb and as text. JSON null is NULL. */
export interface CustomValue {
  json: Sql;
  text: Sql;
  /** SQL of the field's name, and of the registration field as text. */
  key: Parameter;
  registered: Sql;
  /** If several rules use the field: its text read as moments. */
  read?: ReadMoments;
}

/** A text that is read once per row. */
interface ReadMoments {
  /** SQL of its moment. NULL for any other text. */
  moment(): Sql;
  /** SQL of an array: the moments in an array, or the one of a text. */
  moments(): Sql;
}

/** SQL of a custom field: the device's attribute overrides its user's, and that overrides the registration field. */
export function customValue(name: string): CustomValue {
  const key = parameter(name, 'text');
  const column = COLUMNS.get(name);
  const registered = column
    ? { json: sql`to_jsonb(${column})`, text: sql`${column}::text` }
    : { json: sql`i.registration -> ${key}`, text: sql`i.registration ->> ${key}` };
  return {
    json: sql`coalesce(nullif(i.attributes -> ${key}, 'null'), nullif(u.attributes -> ${key}, 'null'), ${registered.json})`,
    text: sql`coalesce(i.attributes ->> ${key}, u.attributes ->> ${key}, ${registered.text})`,
    key,
    registered: registered.text,
  };
}

/** SQL of the moment in a custom field's text. The database records which attributes hold ISO 8601 text. */
export function momentOfCustom({ text, key }: CustomValue): Sql {
  const attribute = (alias: Sql): Sql => sql`WHEN ${alias}.attributes ->> ${key} IS NOT NULL
    THEN CASE WHEN ${alias}.moment_names ? ${key} THEN ${castToMoment(text)} END`;
  return sql`CASE ${attribute(sql`i`)} ${attribute(sql`u`)} ELSE ${momentOf(text)} END`;
}

/** SQL of an array of the moments in a custom field: those of an array's texts, or `moment`. */
export function momentsOfCustom({ json }: CustomValue, moment: Sql): Sql {
  return sql`CASE WHEN jsonb_typeof(${json}) = 'array'
    THEN ARRAY(SELECT ${momentOf(sql`element.t`)} FROM jsonb_array_elements_text(${json}) AS element (t))
    ELSE ARRAY[${moment}] END`;
}
