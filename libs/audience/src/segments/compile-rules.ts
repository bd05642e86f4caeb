import type { JsonObject } from '@postrider/domain';
import { joined, sql, type Sql } from '@postrider/persistence';
import { fieldOf, type Condition, type Group, type Rule } from './language/rule';
import { parseRules } from './parse-rules';
import { isNegated } from './sql/comparison';
import {
  compileCount,
  compileDeviceType,
  compileOnline,
  compileTags,
  compileTime,
  compileVersion,
} from './sql/compile-built-in';
import { compileCustom } from './sql/compile-custom';
import { compilePlace } from './sql/compile-place';
import { compileTagValue } from './sql/compile-tag-value';
import { SharedFields } from './sql/shared-fields';

/** The rules of a request or of a stored audience. */
export interface Rules {
  target?: JsonObject | undefined;
  segment?: JsonObject | undefined;
}

/** What a predicate is compiled with. */
export interface CompileContext {
  /** The time from which `6h` is counted back: the same for the count and for every page of one message. */
  now: Date;
}

/** Rules as parts of one statement. */
interface CompiledRules {
  /** The tables that the condition reads beside `i` and `u`: joins that follow theirs and leave out no row. */
  join: Sql;
  condition: Sql;
  /** True if the condition uses alias `u`. */
  needsUsers: boolean;
}

/** The context in which one rule of several is compiled. */
type SharingContext = CompileContext & { fields: SharedFields };

/**
 * Compiles rules to an SQL condition over alias `i` (installations) that is true or false and never NULL. If
 * `needsUsers`, it also uses alias `u`, which the statement must LEFT JOIN: `users u ON u.app_id = i.app_id AND
 * u.user_id = i.user_id`. It does not filter by application: the statement itself must do that.
 *
 * @throws InvalidRequest if the rules are not valid segment rules
 */
export function compileRules(rules: Rules, context: CompileContext): CompiledRules {
  const group = parseRules(rules);
  const fields = new SharedFields([group]);
  const condition = compileGroup(group, { ...context, fields });
  return { join: fields.join, condition, needsUsers: needsUsers(group) };
}

/** Compiles validated conditions, each separately, with one `join` for all of them; see `compileRules`. */
export function compileEach(
  conditions: readonly Condition[],
  context: CompileContext,
): { join: Sql; conditions: Sql[] } {
  const fields = new SharedFields(conditions);
  const compiled = conditions.map((condition) => compileCondition(condition, { ...context, fields }));
  return { join: fields.join, conditions: compiled.map((condition) => sql`(${condition})`) };
}

/** True if a condition reads the device's user: custom fields do. */
export function needsUsers(condition: Condition): boolean {
  if (condition.kind === 'place') return false;
  if (condition.kind === 'rule') return fieldOf(condition.name).kind === 'custom';
  return [...(condition.all ?? []), ...(condition.any ?? []), ...(condition.none ?? [])].some(needsUsers);
}

function compileGroup(group: Group, context: SharingContext): Sql {
  const compiled = (conditions: Condition[] | undefined, joiner: string): Sql[] =>
    conditions
      ? [
          sql`(${joined(
            conditions.map((condition) => compileCondition(condition, context)),
            joiner,
          )})`,
        ]
      : [];
  const [all, any, none] = [compiled(group.all, ' AND '), compiled(group.any, ' OR '), compiled(group.none, ' OR ')];
  return sql`(${joined([...all, ...any, ...none.map((group) => sql`NOT ${group}`)], ' AND ')})`;
}

function compileCondition(condition: Condition, context: SharingContext): Sql {
  if (condition.kind === 'group') return compileGroup(condition, context);
  const positive = condition.kind === 'place' ? compilePlace(condition.place) : compileRule(condition, context);
  return isNegated(condition.operator) ? sql`NOT (${positive})` : positive;
}

function compileRule(rule: Rule, { now, fields }: SharingContext): Sql {
  const field = fieldOf(rule.name);
  switch (field.kind) {
    case 'time':
      return compileTime(rule, field.name, now);
    case 'version':
      return compileVersion(rule, field.name);
    case 'count':
      return compileCount(rule);
    case 'deviceType':
      return compileDeviceType(rule);
    case 'tags':
      return compileTags(rule);
    case 'online':
      return compileOnline(rule, () => fields.online);
    case 'tagValue':
      return compileTagValue(rule, field.tag, () => fields.tagValue(rule.name, field.tag), now);
    case 'custom':
      return compileCustom(rule, fields.custom(field.name), now);
    case 'place':
      throw new Error('A nearBy rule holds a place');
  }
}
