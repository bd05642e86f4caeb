/** A user's tags: the keys, and the values of those that have one. */
export interface UserTags {
  tags: string[];
  tagValues: Record<string, string>;
}
