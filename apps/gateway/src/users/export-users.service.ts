import type { Readable } from 'node:stream';
import type { ListUsersQuery } from '@postrider/contracts';
import { type UsersAsked, UsersRepository, type WholeUser } from '@postrider/persistence';
import { Injectable } from '@nestjs/common';
import { type HeavyCaller, HeavyReads, EXPORT_PATIENCE_MS, LOOK_LIMIT_MS } from '../heavy-reads/heavy-reads.service';
import { csvLine, openText, tagsField } from '../http/csv';
import { attributeOf } from './find-users.service';

const COLUMNS = ['userId', 'createdAt', 'devices', 'tags', 'attributes'];

/** The number of users that one statement reads: the attributes of one take at most 64 KiB. */
const SLICE_SIZE = 250;

/** Writes users as CSV. */
@Injectable()
export class ExportUsers {
  constructor(
    private readonly users: UsersRepository,
    private readonly heavyReads: HeavyReads,
  ) {}

  /**
   * Returns all users of the query, as CSV text (RFC 4180) in the order of their ids; `cursor` and `limit` are
   * ignored. Memory holds one slice of them, and the next one is read when the caller has consumed the last. A user
   * is written as they were when their slice was read.
   *
   * @throws the errors of `HeavyReads` for the first slice; later failures interrupt the stream
   */
  open(caller: HeavyCaller, query: ListUsersQuery): Promise<Readable> {
    return openText(this.#lines(caller, query));
  }

  async *#lines(caller: HeavyCaller, query: ListUsersQuery): AsyncGenerator<string, void> {
    const asked = { prefix: query.prefix, attribute: attributeOf(query), limit: SLICE_SIZE };
    let text = csvLine(COLUMNS);
    let afterId = '';
    for (;;) {
      const found = await this.#slice(caller, { ...asked, afterId });
      text += found.map(lineOf).join('');
      if (text !== '') yield text;
      const last = found.at(-1);
      if (last === undefined || found.length < SLICE_SIZE) return;
      afterId = last.userId;
      text = '';
    }
  }

  #slice(caller: HeavyCaller, asked: UsersAsked): Promise<WholeUser[]> {
    const limits = { limitMs: LOOK_LIMIT_MS, ...(asked.afterId === '' ? {} : { patienceMs: EXPORT_PATIENCE_MS }) };
    return this.heavyReads.run(caller, limits, (executor) => this.users.listWhole(executor, caller.appId, asked));
  }
}

/**
 * Attributes are one field, as a JSON object. JSON has another spelling of the semicolons behind which a spreadsheet
 * might see a formula, so that no value changes.
 */
function lineOf(user: WholeUser): string {
  const { userId, createdAt, devices } = user;
  const attributes = JSON.stringify(user.attributes).replaceAll(/;(?=[=+\-@])/g, '\\u003b');
  return csvLine([userId, createdAt.toISOString(), String(devices), tagsField(user), attributes]);
}
