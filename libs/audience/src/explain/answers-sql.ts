import { joined, sql, Sql } from '@postrider/persistence';
import { compileEach, type CompileContext } from '../segments/compile-rules';
import type { Outline } from './outline-rules';

/** The name of the column that holds the answer of one rule. */
export function answerColumn(rule: number): Sql {
  return new Sql([`r${rule}`], []);
}

/**
 * A lateral join that gives each installation (alias `i`) the answers of all rules as columns of alias `answers`. `OFFSET 0`
 * keeps PostgreSQL from working a rule out anew wherever its answer is used.
 */
export function joinAnswers({ rules }: Outline, context: CompileContext): Sql {
  const { join, conditions } = compileEach(
    rules.map(({ condition }) => condition),
    context,
  );
  const columns = conditions.map((condition, rule) => sql`${condition} AS ${answerColumn(rule)}`);
  return sql`${join} CROSS JOIN LATERAL (SELECT ${joined(columns, ', ')} OFFSET 0) answers`;
}
