import { sql, type Sql } from '@postrider/persistence';

/** The value of a key/value tag in SQL. */
export interface TagValue {
  text: Sql;
  /** Where several rules ask about the tag: SQL of what its text was read as, once a row; NULL for any other text. */
  read?: { moment(): Sql; number(): Sql };
}

/** SQL of the text of a tag's value, NULL where there is none. */
export function tagText(tag: string): Sql {
  return sql`(i.tag_values ->> ${tag}::text)`;
}

/** SQL of the number that a text is, NULL for any other. As many characters always fit a double, so that the cast cannot fail. */
export function numberOfText(text: Sql): Sql {
  return sql`CASE WHEN length(${text}) <= 300 AND ${text} ~ '^-?[0-9]+(?:[.][0-9]+)?$' THEN ${text}::float8 END`;
}
