/** A list that is too long to be read at once. */
export interface LongList<Entry, Place> {
  /** The place before the first entry. */
  first: Place;
  /** How many entries one part has. The last part has fewer. */
  limit: number;
  /** Reads the next entries behind a place, at most `limit`. */
  read(after: Place, limit: number): Promise<Entry[]>;
  placeOf(entry: Entry): Place;
}

/** Reads a list part by part. The next part is read when the caller has consumed the last. No part is empty. */
export async function* readParts<Entry, Place>({
  first,
  limit,
  read,
  placeOf,
}: LongList<Entry, Place>): AsyncGenerator<Entry[], void> {
  for (let after = first; ;) {
    const part = await read(after, limit);
    const last = part.at(-1);
    if (last === undefined) return;
    yield part;
    if (part.length < limit) return;
    after = placeOf(last);
  }
}

/** Like `readParts`, entry by entry. */
export async function* readEntries<Entry, Place>(list: LongList<Entry, Place>): AsyncGenerator<Entry, void> {
  for await (const part of readParts(list)) yield* part;
}
