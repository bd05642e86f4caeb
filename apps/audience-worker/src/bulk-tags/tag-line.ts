/** What one line of a file says; a line that cannot be read is refused with a `problem`. */
export type TagLine = { line: number; userId: string; edit: LineEdit } | { line: number; problem: string };

/** First tags go, then tags come; one with a value gets it, one without keeps the value that it has. */
export interface LineEdit {
  removed: string[];
  added: { tag: string; value: string | null }[];
}

/** One record of a file as it was cut from it. */
export interface RawRecord {
  /** The number of its first line. */
  line: number;
  /** The line behind it. */
  nextLine: number;
  /** Where the next record begins, in bytes. */
  endsAt: number;
  /** Without the line break; null when it could not be told where it ends, or it is too long. */
  bytes: Buffer | null;
  problem: string | null;
}
