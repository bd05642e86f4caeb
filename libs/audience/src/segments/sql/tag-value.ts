import type { SqlParameters } from '../../sql/sql-parameters';

/** The value of a key/value tag in SQL. */
export interface TagValue {
  text: string;
  /** Where several rules ask about the tag: SQL of what its text was read as, once a row; NULL for any other text. */
  read?: { moment(): string; number(): string };
}

/** SQL of the text of a tag's value, NULL where there is none. */
export function tagText(tag: string, parameters: SqlParameters): string {
  return `(i.tag_values ->> ${parameters.add(tag)}::text)`;
}

/** SQL of the number that a text is, NULL for any other. As many characters always fit a double, so that the cast cannot fail. */
export function numberOfText(text: string): string {
  return `CASE WHEN length(${text}) <= 300 AND ${text} ~ '^-?[0-9]+(?:[.][0-9]+)?$' THEN ${text}::float8 END`;
}
