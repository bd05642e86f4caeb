import type { Readable } from 'node:stream';
import type { ListUsersQuery } from '@postrider/contracts';
import { type UsersAsked, UsersRepository, type WholeUser } from '@postrider/persistence';
import { Injectable } from '@nestjs/common';
import { type HeavyCaller, HeavyReads, EXPORT_PATIENCE_MS, LOOK_LIMIT_MS } from '../heavy-reads/heavy-reads.service';
import { csvLine, openText, tagsField } from '../http/csv';
import { attributeOf } from './find-users.service';

const COLUMNS = ['userId', 'createdAt', 'devices', 'tags', 'attributes'];

/** Users that one statement gives: the attributes of one are 64 KiB at most. */
const SLICE_SIZE = 250;

/** Writes users as CSV. */
@Injectable()
export class ExportUsers {
  constructor(
    private readonly users: UsersRepository,
    private readonly heavyReads: HeavyReads,
  ) {}

  /**
   * All users that the query is about, as CSV text (RFC 4180) in the order of their ids; `cursor` and `limit` do not matter. Memory holds
   * one slice of them, and the next is read when the caller has taken the last. A user is written as they were when their slice was read.
   *
   * @throws what `HeavyReads` does for the first slice: later failures break the stream off
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

/** Attributes stand in one field, as a JSON object. */
function lineOf(user: WholeUser): string {
  const { userId, createdAt, devices, attributes } = user;
  return csvLine([userId, createdAt.toISOString(), String(devices), tagsField(user), JSON.stringify(attributes)]);
}
