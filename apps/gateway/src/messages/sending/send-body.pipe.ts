import { Inject, Injectable, type PipeTransform } from '@nestjs/common';
import {
  Problems,
  readSend,
  readSendElement,
  type RecipientForms,
  type SendReading,
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
 * Reads the three payload forms, each as its class. Nest's own pipe cannot: a union of classes is gone at run
 * time, and it would check nothing.
 */
abstract class SendBodyPipe implements PipeTransform<unknown, Promise<ReceivedSend>> {
  protected abstract readonly forms: RecipientForms;

  constructor(@Inject(CONFIG) private readonly config: Config) {}

  /** @throws InvalidRequest that names every bad field of every message */
  async transform(body: unknown): Promise<ReceivedSend> {
    const problems = new Problems(body);
    const isBatch = Array.isArray(body) && this.forms !== 'rules';
    const messages = isBatch ? await this.#readAll(body, problems) : this.#readOne(body, problems);
    if (!problems.isFull) problems.addAll(await templateProblems(messages));
    problems.throwIfAny();
    return { messages, isBatch, body };
  }

  #readOne(body: unknown, problems: Problems): SendRequest[] {
    return take(readSend(body, this.forms, this.config.maxUsers), problems);
  }

  async #readAll(body: readonly unknown[], problems: Problems): Promise<SendRequest[]> {
    const { maxMessages } = this.config;
    if (body.length === 0 || body.length > maxMessages) {
      problems.add('', `must be an array of 1 to ${maxMessages} messages`);
      return [];
    }
    const messages = await inSlices(body, (element, index) =>
      // Nothing more would be told of a request that is full of problems.
      problems.isFull ? [] : take(readSendElement(element, index, this.forms), problems),
    );
    return messages.flat();
  }
}

/** Notes what is wrong with a message, its rules too. @returns the message; none when it is no object */
function take({ message, problems: found }: SendReading, problems: Problems): SendRequest[] {
  problems.addAll(found);
  if (message === null) return [];
  problems.addAll(checkRules(message.recipients));
  return [message];
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
