/** One value of a statement. It may appear in a statement several times and is still one parameter. */
export class Parameter {
  /** @param type its type in PostgreSQL, such as `bigint[]`; left out, PostgreSQL infers it from the context */
  constructor(
    readonly value: unknown,
    readonly type?: string,
  ) {}
}

/** A statement, or a part of one: SQL as the source code has it, and values that PostgreSQL gets as parameters. */
export class Sql {
  readonly #strings: readonly string[];
  readonly #values: readonly unknown[];

  constructor(strings: readonly string[], values: readonly unknown[]) {
    this.#strings = strings;
    this.#values = values;
  }

  /** The text with its parameters numbered from `$1`, and their values in that order. */
  toQuery(): { text: string; values: unknown[] } {
    const numbering = new Numbering();
    return { text: this.#textWith(numbering), values: numbering.values };
  }

  /** The same statement with nested parts flattened: the text between the values, and the values. */
  flatten(): { strings: readonly string[]; values: readonly unknown[] } {
    const strings = [this.#strings[0] ?? ''];
    const values: unknown[] = [];
    for (const [at, value] of this.#values.entries()) {
      const part = value instanceof Sql ? value.flatten() : { strings: ['', ''], values: [value] };
      strings.push((strings.pop() ?? '') + (part.strings[0] ?? ''), ...part.strings.slice(1));
      strings.push((strings.pop() ?? '') + (this.#strings[at + 1] ?? ''));
      values.push(...part.values);
    }
    return { strings, values };
  }

  #textWith(numbering: Numbering): string {
    let text = this.#strings[0] ?? '';
    for (const [at, value] of this.#values.entries()) {
      text += value instanceof Sql ? value.#textWith(numbering) : numbering.place(value);
      text += this.#strings[at + 1] ?? '';
    }
    return text;
  }
}

/** Numbers the values. */
class Numbering {
  readonly values: unknown[] = [];
  readonly #numbers = new Map<Parameter, number>();

  place(value: unknown): string {
    if (!(value instanceof Parameter)) return `$${this.values.push(value)}`;
    const known = this.#numbers.get(value);
    const number = known ?? this.values.push(value.value);
    if (known === undefined) this.#numbers.set(value, number);
    return value.type === undefined ? `$${number}` : `$${number}::${value.type}`;
  }
}

/**
 * A statement or a part of one. What stands in `${…}` becomes a parameter, never text; only another `sql` becomes a part of
 * the text:
 *
 *     sql`SELECT id FROM installations WHERE app_id = ${appId} AND ${isMeantForOwner}`
 *
 * The same value in two places is two parameters; `parameter(value)` makes it one.
 */
export function sql(strings: TemplateStringsArray, ...values: readonly unknown[]): Sql {
  return new Sql(strings, values);
}

/**
 * A value that a statement names more than once.
 *
 * @param type what PostgreSQL is to take it for, written after each place as `::type`; part of the code, never of a request
 */
export function parameter(value: unknown, type?: string): Parameter {
  return new Parameter(value, type);
}

/** Parts with `separator` between them: `joined(rules, ' AND ')`. Of none, nothing. */
export function joined(parts: readonly Sql[], separator: string): Sql {
  return new Sql(['', ...parts.slice(1).map(() => separator), ''], parts);
}

/** The name of a table, a column or a type as a part of a statement, where code chooses among names. @throws RangeError for anything but a plain name */
export function identifier(name: string): Sql {
  if (!/^[a-z_][a-z0-9_]*$/.test(name)) throw new RangeError(`Not the name of a table, a column or a type: ${name}`);
  return new Sql([name], []);
}

/**
 * A time that PostgreSQL writes as text or into JSON, in the form of all times of the API: `2026-01-31T09:00:00.100Z`.
 * PostgreSQL's own form has the server's time zone, and no zeros at its end (`12:30:00.1+03:30`), which strict readers
 * refuse.
 *
 * @param at a timestamptz, or null
 */
export function isoTime(at: Sql): Sql {
  return sql`to_char(${at} AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')`;
}

/**
 * True if `part` is somewhere in a name; upper and lower case are the same in every script. Undefined: true of every name.
 *
 * @param name a text column. Its own collation may know the letters of English only (`C`), so it is not asked.
 */
export function hasInName(name: Sql, part: string | undefined): Sql {
  if (part === undefined) return sql`true`;
  return sql`strpos(lower(${name} COLLATE "und-x-icu"), lower(${part}::text COLLATE "und-x-icu")) > 0`;
}

/**
 * A number or some words that code defines, such as a rank, a state or a span of time, as a part of the text, for plans
 * that depend on it. @throws RangeError for anything else
 */
export function literal(value: number | string): Sql {
  if (typeof value === 'number' && Number.isFinite(value)) return new Sql([String(value)], []);
  if (typeof value === 'string' && /^[A-Za-z0-9_ ]*$/.test(value)) return new Sql([`'${value}'`], []);
  throw new RangeError(`Not a number or plain words: ${value}`);
}

/** One run of a template. The text is the same string in each run, so that nobody has to read it to know it again. */
class FilledTemplate extends Sql {
  constructor(
    strings: readonly string[],
    parts: readonly unknown[],
    private readonly query: { text: string; values: unknown[] },
  ) {
    super(strings, parts);
  }

  override toQuery(): { text: string; values: unknown[] } {
    return this.query;
  }
}

/**
 * A long statement that runs very often: its text is made once, and each run only fills in values.
 *
 * @param names the names of the values
 * @param write gets a parameter for each of them
 */
export function template<Name extends string>(
  names: readonly Name[],
  write: (places: Readonly<Record<Name, Parameter>>) => Sql,
): (values: Readonly<Record<Name, unknown>>) => Sql {
  const nameOf = new Map<unknown, Name>();
  const places = Object.fromEntries(
    names.map((name) => {
      const place = Symbol(name);
      nameOf.set(place, name);
      return [name, parameter(place)];
    }),
  ) as Record<Name, Parameter>;
  const written = write(places);
  const { strings, values: parts } = written.flatten();
  const { text, values: inOrder } = written.toQuery();
  return (values) => {
    const valueAt = (place: unknown): unknown => {
      const name = nameOf.get(place);
      return name === undefined ? place : values[name];
    };
    const given = new Map(names.map((name) => [places[name], parameter(values[name])]));
    return new FilledTemplate(
      strings,
      parts.map((part) => (part instanceof Parameter ? (given.get(part) ?? part) : part)),
      { text, values: inOrder.map(valueAt) },
    );
  };
}
