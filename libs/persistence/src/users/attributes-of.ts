/** Bytes from which picking some attributes is less work than sending all. */
const MANY_BYTES = 300;

/**
 * SQL for a user's attributes; where there are many, for those alone that the parameter `names` has, which may be null for
 * all.
 */
export const attributesOf = (attributes: string, names: `$${number}`): string => `
  CASE WHEN ${names}::text[] IS NULL OR pg_column_size(${attributes}) < ${MANY_BYTES} THEN ${attributes} ELSE (
    SELECT coalesce(jsonb_object_agg(name, ${attributes} -> name), '{}')
    FROM unnest(${names}::text[]) AS named (name) WHERE ${attributes} ? name
  ) END`;
