import type { RawRecord } from './record-splitter';

const [QUOTE, BACKSLASH, COMMA, COLON] = [0x22, 0x5c, 0x2c, 0x3a];
const [OPEN_ARRAY, CLOSE_ARRAY, OPEN_OBJECT, CLOSE_OBJECT] = [0x5b, 0x5d, 0x7b, 0x7d];
const BYTE_ORDER_MARK = [0xef, 0xbb, 0xbf];
/** In place of the end of an element: the element holds the list, which begins here. */
const LIST_BEGINS = -1;

/** The point at which reading of a JSON document begins. */
interface JsonSplitterOptions {
  /** The byte at which to continue: 0, or the end of an element. */
  offset: number;
  /** The number of the next element. */
  index: number;
  /** No element is longer; one that is ends the reading. */
  maxBytes: number;
  /** Members of an object that hold the list: `{ "results": [ … ] }`. */
  listNames: readonly string[];
  /** Those of them that also hold a list if the object is the first element of an array: `[{ "Endpoints": [ … ] }]`. */
  pageNames: readonly string[];
}

/**
 * The place of the reader: before the list, between elements, inside one, behind the list, or at text that cannot be
 * read.
 */
type State = 'before' | 'between' | 'inside' | 'behind' | 'broken';

/**
 * Cuts a JSON document into the elements of its list, in whatever pieces it comes: the elements of an array, of a list
 * in a member of an object, or objects one behind the other. An object without such a list is the only element.
 * Documents with lists may follow each other, such as the pages of an answer that were appended to one file or to one
 * array. Holds no more than one element and one piece. Elements are numbered in place of `RecordSplitter`'s lines.
 */
export class JsonSplitter {
  #pending: Buffer = Buffer.alloc(0);
  /** The length of `#pending` that is already searched. */
  #scanned = 0;
  #offset: number;
  #index: number;
  #state: State;
  #depth = 0;
  #isInText = false;
  #isEscaped = false;
  /** Before the list of an object: where its latest text began, and the latest name. */
  #textFrom = 0;
  #text = '';
  #name = '';
  /** True in the first element of an array, which may be a page with a list of its own. */
  #mayBePage = false;
  /** True between the brackets of a list; null: not known yet, because reading continues behind an element. */
  #isInList: boolean | null;
  /**
   * Behind the list: the depth in its document; null: not known yet, or not known because reading continues at the
   * list's last element.
   */
  #restDepth: number | null = null;

  constructor(private readonly options: JsonSplitterOptions) {
    this.#offset = options.offset;
    this.#index = options.index;
    this.#state = options.offset > 0 ? 'between' : 'before';
    this.#isInList = options.offset > 0 ? null : false;
  }

  /** The elements that end within `bytes`, which follow what was given before. */
  *push(bytes: Buffer): Generator<RawRecord> {
    this.#pending = this.#pending.length === 0 ? bytes : Buffer.concat([this.#pending, bytes]);
    yield* this.#take();
    if (this.#pending.length > this.options.maxBytes && this.#state === 'inside') {
      yield this.#break(`is longer than ${this.options.maxBytes} bytes`);
    }
  }

  /** Returns the element that does not end, or is missing because its list does not end, when there are no more bytes. */
  *end(): Generator<RawRecord> {
    if (this.#state === 'inside' && this.#isInWord()) yield this.#cut(this.#pending.length);
    else if (this.#state === 'inside' || this.#pending.some((byte) => !isBlank(byte) && byte !== COMMA)) {
      if (this.#state !== 'behind' && this.#state !== 'broken') yield this.#break('ends before it is complete');
    }
    if (this.#state === 'between' && this.#isInList === true) {
      yield this.#break('is missing: the file ends within its list');
    }
  }

  *#take(): Generator<RawRecord> {
    while (this.#scanned < this.#pending.length) {
      if (this.#state === 'broken') {
        this.#forget(this.#pending.length);
        return;
      }
      if (this.#state === 'behind') {
        if (!this.#passRest()) yield this.#break('is no JSON');
      } else if (this.#state === 'inside') {
        const end = this.#endOfValue();
        if (end === 0) yield this.#break('is no JSON');
        else if (end !== null) yield this.#cut(end);
        else if (this.#state === 'inside') return;
      } else {
        this.#seek();
      }
    }
  }

  /**
   * Passes over what follows the list in its document, up to where the next document begins.
   *
   * @returns true if it may stand there
   */
  #passRest(): boolean {
    while (this.#scanned < this.#pending.length) {
      const byte = this.#pending[this.#scanned] as number;
      if (this.#isInText) this.#passText(byte, this.#scanned);
      else if (!isBlank(byte)) {
        // A member follows the list in the object that holds it, or the object ends. An array is over.
        this.#restDepth ??= byte === COMMA || byte === CLOSE_OBJECT ? 1 : 0;
        if (this.#restDepth === 0 && !isBetweenPages(byte)) return this.#beginDocument(byte);
        if (this.#restDepth > 0) this.#passRestByte(byte, this.#restDepth);
      }
      this.#scanned += 1;
    }
    this.#forget(this.#scanned);
    return true;
  }

  #passRestByte(byte: number, depth: number): void {
    this.#isInText = byte === QUOTE;
    this.#restDepth = depth + deeperBy(byte);
  }

  #beginDocument(byte: number): boolean {
    this.#forget(this.#scanned);
    this.#state = 'before';
    this.#isInList = false;
    this.#name = '';
    return isOpening(byte);
  }

  /** Looks for where the next element begins. */
  #seek(): void {
    while (this.#scanned < this.#pending.length) {
      const byte = this.#pending[this.#scanned] as number;
      // Only elements of a list have commas between them.
      if (byte === COMMA) this.#isInList ??= true;
      if (!isBlank(byte) && byte !== COMMA && !this.#isMark(byte)) {
        this.#isInList ??= false;
        if (this.#passBracket(byte)) return;
      } else this.#scanned += 1;
    }
    this.#forget(this.#scanned);
  }

  /** @returns true if looking for the next element is over: it begins here, or there is none */
  #passBracket(byte: number): boolean {
    if (byte === OPEN_ARRAY && this.#state === 'before') {
      this.#scanned += 1;
      this.#state = 'between';
      this.#isInList = true;
      this.#mayBePage = true;
      return false;
    }
    if (byte === CLOSE_ARRAY && this.#state === 'between') {
      this.#scanned += 1;
      this.#state = 'behind';
      this.#isInList = false;
      this.#restDepth = null;
      this.#isInText = false;
      return true;
    }
    this.#forget(this.#scanned);
    this.#depth = 0;
    this.#isInText = false;
    if (this.#state === 'between') this.#name = this.#mayBePage ? '' : '-';
    else this.#mayBePage = false;
    this.#state = 'inside';
    return true;
  }

  #isMark(byte: number): boolean {
    return this.#offset + this.#scanned < BYTE_ORDER_MARK.length && BYTE_ORDER_MARK.includes(byte);
  }

  /** @returns where the element ends that `#pending` begins with; null: not here, or it turned out to hold the list */
  #endOfValue(): number | null {
    const { length } = this.#pending;
    for (let at = this.#scanned; at < length; at++) {
      const byte = this.#pending[at] as number;
      const end = this.#isInText ? this.#passText(byte, at) : this.#passByte(byte, at);
      if (end === LIST_BEGINS) return this.#enterList(at);
      if (end !== null) return end;
    }
    this.#scanned = length;
    return null;
  }

  /** @returns where the element ends; null: not here */
  #passByte(byte: number, at: number): number | null {
    if (isOpening(byte)) return this.#open(byte);
    if (isClosing(byte)) return this.#close(at);
    if (byte === QUOTE) {
      this.#isInText = true;
      this.#textFrom = at + 1;
    } else if (this.#depth === 0) return byte === COMMA || isBlank(byte) ? at : null;
    else if (byte === COLON) this.#noteName();
    return null;
  }

  #open(byte: number): number | null {
    if (byte === OPEN_ARRAY && this.#isList()) return LIST_BEGINS;
    this.#depth += 1;
    return null;
  }

  #close(at: number): number | null {
    if (this.#depth === 0) return at;
    this.#depth -= 1;
    return this.#depth === 0 ? at + 1 : null;
  }

  /** @returns where the element ends, if the text that ends here is the element; else null */
  #passText(byte: number, at: number): number | null {
    if (this.#isEscaped) this.#isEscaped = false;
    else if (byte === BACKSLASH) this.#isEscaped = true;
    else if (byte === QUOTE) {
      this.#isInText = false;
      if (this.#depth === 0) return at + 1;
      if (this.#isLookingForList && this.#depth === 1) this.#text = this.#pending.toString('utf8', this.#textFrom, at);
    }
    return null;
  }

  /** Only the first object of a document may hold the list. */
  get #isLookingForList(): boolean {
    return this.#name !== '-';
  }

  #noteName(): void {
    if (this.#depth === 1 && this.#isLookingForList) this.#name = this.#text;
  }

  #isList(): boolean {
    const names = this.#mayBePage ? this.options.pageNames : this.options.listNames;
    return this.#depth === 1 && this.#isLookingForList && names.includes(this.#name);
  }

  #enterList(at: number): null {
    this.#scanned = at + 1;
    this.#forget(this.#scanned);
    this.#name = '-';
    this.#mayBePage = false;
    this.#depth = 0;
    this.#state = 'between';
    this.#isInList = true;
    return null;
  }

  #isInWord(): boolean {
    return this.#depth === 0 && !this.#isInText;
  }

  #cut(end: number): RawRecord {
    const bytes = this.#pending.subarray(0, end);
    this.#forget(end);
    this.#state = 'between';
    this.#name = '-';
    this.#mayBePage = false;
    return this.#record(bytes, null);
  }

  #break(problem: string): RawRecord {
    this.#forget(this.#pending.length);
    this.#state = 'broken';
    return this.#record(null, problem);
  }

  #record(bytes: Buffer | null, problem: string | null): RawRecord {
    const line = this.#index;
    this.#index += 1;
    return { line, nextLine: this.#index, endsAt: this.#offset, bytes, problem };
  }

  #forget(length: number): void {
    this.#pending = this.#pending.subarray(length);
    this.#offset += length;
    this.#scanned = Math.max(0, this.#scanned - length);
  }
}

function isBlank(byte: number): boolean {
  return byte === 0x20 || byte === 0x0a || byte === 0x0d || byte === 0x09;
}

/** The bytes behind a page of an array. */
function isBetweenPages(byte: number): boolean {
  return byte === COMMA || byte === CLOSE_ARRAY;
}

function deeperBy(byte: number): number {
  return Number(isOpening(byte)) - Number(isClosing(byte));
}

function isOpening(byte: number): boolean {
  return byte === OPEN_ARRAY || byte === OPEN_OBJECT;
}

function isClosing(byte: number): boolean {
  return byte === CLOSE_ARRAY || byte === CLOSE_OBJECT;
}
