import { Inject, Injectable, type PipeTransform } from '@nestjs/common';
import {
  elementsOf,
  isBatch,
  Problems,
  readElement,
  type RecipientForms,
  readSend,
  type SendRequest,
} from '@postrider/contracts';
import { CONFIG, type Config } from '@postrider/platform';
import { templateProblems } from '@postrider/rendering';
import { checkRules } from './check-rules';
import { inSlices } from './in-slices';

/** The validated body of a send. */
export interface ReceivedSend {
  messages: SendRequest[];
  isBatch: boolean;
  /** As it was parsed, for what must know whether two requests are the same. */
  body: unknown;
}

/**
 * Reads the three payload forms (push-api, Message). Nest's own pipe cannot: a union of classes is gone at run time, and it
 * would check nothing.
 */
abstract class SendBodyPipe implements PipeTransform<unknown, Promise<ReceivedSend>> {
  protected abstract readonly forms: RecipientForms;

  constructor(@Inject(CONFIG) private readonly config: Config) {}

  /** @throws InvalidRequest that names every bad field of every message */
  async transform(body: unknown): Promise<ReceivedSend> {
    if (isBatch(body, this.forms)) return this.#readBatch(body);
    const { messages, problems } = readSend(body, this.forms, this.config);
    for (const { recipients } of messages) problems.addAll(checkRules(recipients));
    problems.addAll(await templateProblems(messages));
    problems.throwIfAny();
    return { messages, isBatch: false, body };
  }

  async #readBatch(body: unknown[]): Promise<ReceivedSend> {
    const problems = new Problems(body);
    const messages = await inSlices(elementsOf(body, this.config, problems), (element, index) => {
      // Nothing more would be told.
      if (problems.isFull) return [];
      const read = readElement(element, index, this.forms, problems);
      for (const { recipients } of read) problems.addAll(checkRules(recipients));
      return read;
    });
    if (!problems.isFull) problems.addAll(await templateProblems(messages.flat()));
    problems.throwIfAny();
    return { messages: messages.flat(), isBatch: true, body };
  }
}

/** The body of `toUsers`. */
@Injectable()
export class ToUsersBody extends SendBodyPipe {
  protected readonly forms = 'named';
}

/** The body of `byQuery`. */
@Injectable()
export class ByQueryBody extends SendBodyPipe {
  protected readonly forms = 'rules';
}

/** The body of `notifyUsers`: of either kind. */
@Injectable()
export class NotifyUsersBody extends SendBodyPipe {
  protected readonly forms = 'either';
}
