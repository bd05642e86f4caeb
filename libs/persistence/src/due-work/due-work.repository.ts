import { Inject, Injectable } from '@nestjs/common';
import { DATABASE, type Database } from '../database/executor';
import { rowsPlannedOnceByIndex } from '../database/prepared-rows';
import { joined, sql, type Sql } from '../sql';

/** Finds out for which maintenance tasks there is something to do. */
@Injectable()
export class DueWorkRepository {
  constructor(@Inject(DATABASE) private readonly database: Database) {}

  /**
   * Looks for rows of several kinds in one round trip. To ask for each kind costs many times as much, nearly all of it for coming
   * and going.
   *
   * @param kinds `FROM` and `WHERE` of each (`due-rows.ts`), in the same order each time: the statement is planned once
   * @returns for each of them, in their order, whether there is a row
   */
  async areDue(kinds: readonly Sql[]): Promise<boolean[]> {
    const looks = kinds.map((rows) => sql`EXISTS (SELECT ${rows})`);
    const [found] = await rowsPlannedOnceByIndex<{ areDue: boolean[] }>(
      this.database,
      sql`SELECT ARRAY[${joined(looks, ', ')}]::boolean[] AS "areDue"`,
    );
    if (found === undefined) throw new Error('PostgreSQL did not answer what is due');
    return found.areDue;
  }
}
