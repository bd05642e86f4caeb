import { edgeIsAlive, identifier, joined, sql, type Sql } from '@postrider/persistence';
import { fieldOf, type Condition } from '../language/rule';
import { type CustomValue, customValue, momentOfCustom, momentsOfCustom } from './custom-value';
import { momentOf } from './moment-sql';
import { numberOfText, type TagValue, tagText } from './compile-tag-value';

/** SQL condition over alias `i`: a connection of the device is open, on a living edge. */
const IS_ONLINE = sql`EXISTS (SELECT FROM presence p JOIN edges e ON e.edge_id = p.edge_id
    WHERE p.app_id = i.app_id AND p.id = i.id AND ${edgeIsAlive(sql`e`)})`;

/**
 * The fields that several rules of one predicate use. Each is looked up, and its text read, once per row in a lateral
 * subselect, however many rules use it: `OFFSET 0` keeps PostgreSQL from computing it again for every rule. A field
 * that only one rule uses stays in that rule, where a cheaper rule may make it unnecessary.
 */
export class SharedFields {
  readonly #shared = new Set<string>();
  readonly #values = new Map<string, CustomValue | TagValue>();
  /** SQL of the lateral subselects by alias, each after those that it reads. */
  readonly #laterals = new Map<string, Sql>();

  constructor(conditions: readonly Condition[]) {
    const seen = new Set<string>();
    for (const name of conditions.flatMap(namesOf)) (seen.has(name) ? this.#shared : seen).add(name);
  }

  /** The joins of the shared fields, once all rules are compiled. They follow `i` and `u`. */
  get join(): Sql {
    const laterals = [...this.#laterals].map(
      ([alias, columns]) => sql`CROSS JOIN LATERAL (SELECT ${columns} OFFSET 0) ${identifier(alias)}`,
    );
    return joined(laterals, '\n');
  }

  /** SQL condition: the device is online. */
  get online(): Sql {
    if (!this.#shared.has('online')) return IS_ONLINE;
    this.#laterals.set('online', sql`${IS_ONLINE} AS yes`);
    return sql`online.yes`;
  }

  /** SQL of a custom field. */
  custom(name: string): CustomValue {
    return this.#once(name, (alias) => {
      const value = customValue(name);
      if (alias === null) return value;
      this.#laterals.set(alias, sql`${value.json} AS json, ${value.text} AS text`);
      const held = { ...value, json: sql`${identifier(alias)}.json`, text: sql`${identifier(alias)}.text` };
      const moment = (): Sql => this.#read(`${alias}_moment`, momentOfCustom(held));
      const moments = (): Sql => this.#read(`${alias}_moments`, momentsOfCustom(held, moment()));
      return { ...held, read: { moment, moments } };
    });
  }

  /** SQL of the value of a key/value tag. `name` is the rule's. */
  tagValue(name: string, tag: string): TagValue {
    return this.#once(name, (alias) => {
      const text = tagText(tag);
      if (alias === null) return { text };
      this.#laterals.set(alias, sql`${text} AS text`);
      const held = sql`${identifier(alias)}.text`;
      return {
        text: held,
        read: {
          moment: () => this.#read(`${alias}_moment`, momentOf(held)),
          number: () => this.#read(`${alias}_number`, numberOfText(held)),
        },
      };
    });
  }

  #once<Value extends CustomValue | TagValue>(name: string, make: (alias: string | null) => Value): Value {
    if (!this.#shared.has(name)) return make(null);
    const known = this.#values.get(name) ?? make(`field_${this.#values.size}`);
    this.#values.set(name, known);
    return known as Value;
  }

  #read(alias: string, expression: Sql): Sql {
    this.#laterals.set(alias, sql`${expression} AS value`);
    return sql`${identifier(alias)}.value`;
  }
}

/** The names of rules whose fields cost more than a column read. */
function namesOf(condition: Condition): string[] {
  if (condition.kind === 'place') return [];
  if (condition.kind === 'group') {
    return [...(condition.all ?? []), ...(condition.any ?? []), ...(condition.none ?? [])].flatMap(namesOf);
  }
  return ['custom', 'tagValue', 'online'].includes(fieldOf(condition.name).kind) ? [condition.name] : [];
}
