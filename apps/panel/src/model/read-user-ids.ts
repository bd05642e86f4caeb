import { MAX_NAME_LENGTH, normaliseName, USUAL_MAX_USERS } from '@postrider/domain';
import { LOCALE } from './locale';

/** One line of a file that cannot be read. */
export interface LineProblem {
  line: number;
  message: string;
}

/** The user ids of a file, each once and in its order, or its problem. */
export type UserIdsReading =
  { kind: 'read'; userIds: string[]; duplicates: number } | { kind: 'refused'; problems: LineProblem[] };

const MOST_PROBLEMS = 20;
const MOST_LINE = 4_096;
const HEADER = /^(?:user[ _-]?ids?|users?|id)$/i;

/**
 * Reads a file of user ids: UTF-8, one column, one id a line, with or without a header; quotes are taken off, blank lines
 * and repeated ids left out. The file is read in pieces: a wrong, huge one is let go as soon as that is known.
 *
 * @param pieces the bytes of the file (`file.stream()`)
 */
export async function readUserIds(pieces: AsyncIterable<Uint8Array>): Promise<UserIdsReading> {
  const reader = new UserIdReader();
  const decoder = new TextDecoder('utf-8', { fatal: true });
  for await (const piece of pieces) {
    takeBytes(reader, decoder, piece);
    if (reader.isDone) return reader.end();
  }
  takeBytes(reader, decoder);
  return reader.end();
}

function takeBytes(reader: UserIdReader, decoder: TextDecoder, piece?: Uint8Array): void {
  let text: string;
  try {
    text = decoder.decode(piece, { stream: piece !== undefined });
  } catch {
    reader.refuse('is not UTF-8 text: save the file as CSV in UTF-8');
    return;
  }
  reader.take(text);
}

/** Takes text in pieces of any size, and collects ids and problems line by line. */
class UserIdReader {
  readonly #ids = new Set<string>();
  readonly #problems: LineProblem[] = [];
  #rest = '';
  #line = 1;
  #duplicates = 0;
  isDone = false;

  take(text: string): void {
    if (this.isDone) return;
    const lines = `${this.#rest}${text}`.split(/\r\n|\n|\r(?!$)/);
    this.#rest = lines.pop() ?? '';
    for (const line of lines) this.#takeLine(line);
    if (this.#rest.length > MOST_LINE) this.refuse('is too long: put one user id on each line');
  }

  /** Notes the problem of the present line, and stops reading. */
  refuse(message: string): void {
    this.#problem(message);
    this.isDone = true;
  }

  end(): UserIdsReading {
    if (!this.isDone && this.#rest !== '') this.#takeLine(this.#rest);
    if (this.#ids.size === 0 && this.#problems.length === 0) {
      this.#problems.push({ line: 1, message: 'The file holds no user id' });
    }
    if (this.#problems.length > 0) return { kind: 'refused', problems: this.#problems };
    return { kind: 'read', userIds: [...this.#ids], duplicates: this.#duplicates };
  }

  #takeLine(line: string): void {
    if (this.isDone) return;
    this.#takeField(
      line
        .replace(/^\uFEFF/, '')
        .replace(/\r$/, '')
        .trim(),
    );
    this.#line += 1;
    if (this.#problems.length >= MOST_PROBLEMS) this.isDone = true;
  }

  #takeField(field: string): void {
    if (field === '' || (this.#line === 1 && HEADER.test(unquoted(field)))) return;
    const text = unquoted(field);
    if (text === field && /[,;\t]/.test(field)) {
      this.#problem('has more than one column');
      return;
    }
    const id = normaliseName(text);
    if (id === null) {
      this.#problem(`is not a user id, which has 1 to ${MAX_NAME_LENGTH} characters`);
      return;
    }
    if (id === '*') {
      this.#problem('contains *, which means everyone and is not a user id');
      return;
    }
    if (this.#ids.has(id)) this.#duplicates += 1;
    else if (this.#ids.size >= USUAL_MAX_USERS)
      this.refuse(`is one too many: at most ${USUAL_MAX_USERS.toLocaleString(LOCALE)} users`);
    else this.#ids.add(id);
  }

  #problem(message: string): void {
    this.#problems.push({ line: this.#line, message: `Line ${this.#line} ${message}` });
  }
}

/** The text of a field: within quotes, with doubled quotes made single. */
function unquoted(field: string): string {
  const inside = /^"((?:[^"]|"")*)"$/.exec(field)?.[1];
  return inside === undefined ? field : inside.replaceAll('""', '"');
}
