import { Inject, Injectable } from '@nestjs/common';
import { type AcceptedMessage, acceptMessages, kindOfDraft, type NamedDraft } from '@postrider/audience';
import { type Database, DATABASE, isDatabaseUnavailable } from '@postrider/persistence';
import { CONFIG, type Config } from '@postrider/platform';

/** Statements under way at once for one kind of message. While they run, what comes waits and goes together in the next. */
const STATEMENTS_AT_ONCE = 2;
/** A statement of so many answers within milliseconds still. */
const MESSAGES_AT_ONCE = 100;

interface Waiting {
  draft: NamedDraft;
  resolve: (accepted: AcceptedMessage) => void;
  reject: (error: unknown) => void;
}

interface Line {
  waiting: Waiting[];
  underWay: number;
  isCalled: boolean;
}

/**
 * Accepts messages of different requests in common statements, so that a busy gateway commits once for many messages and an
 * idle one at once. Each message is accepted when its promise resolves; one that the ledger refuses fails alone.
 */
@Injectable()
export class AcceptTogether {
  readonly #lines = new Map<string, Line>();

  constructor(
    @Inject(DATABASE) private readonly database: Database,
    @Inject(CONFIG) private readonly config: Config,
  ) {}

  /** Rejects with the database's error when the message was not accepted, or when nobody can know. */
  accept(draft: NamedDraft): Promise<AcceptedMessage> {
    const kind = kindOfDraft(draft);
    const line = this.#lines.get(kind) ?? { waiting: [], underWay: 0, isCalled: false };
    this.#lines.set(kind, line);
    return new Promise((resolve, reject) => {
      line.waiting.push({ draft, resolve, reject });
      this.#call(kind, line);
    });
  }

  /** At the end of this turn of the event loop: requests that were read in it go together. */
  #call(kind: string, line: Line): void {
    if (line.isCalled || line.underWay >= STATEMENTS_AT_ONCE) return;
    line.isCalled = true;
    setImmediate(() => {
      line.isCalled = false;
      void this.#acceptNext(kind, line);
    });
  }

  async #acceptNext(kind: string, line: Line): Promise<void> {
    line.underWay++;
    await this.#settle(line.waiting.splice(0, MESSAGES_AT_ONCE));
    line.underWay--;
    if (line.waiting.length > 0) this.#call(kind, line);
    else if (line.underWay === 0 && !line.isCalled) this.#lines.delete(kind);
  }

  async #settle(together: readonly Waiting[]): Promise<void> {
    try {
      const accepted = await acceptMessages(
        this.database,
        together.map(({ draft }) => draft),
        { pageSize: this.config.pageSize },
      );
      accepted.forEach((outcome, place) => together[place]?.resolve(outcome));
    } catch (error) {
      // The statement's own error undid all of it, so each may be tried alone. Of a lost connection nobody knows.
      const isCertain = together.length > 1 && !isDatabaseUnavailable(error);
      if (isCertain) await Promise.all(together.map((one) => this.#settle([one])));
      else for (const { reject } of together) reject(error);
    }
  }
}
